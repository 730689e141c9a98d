#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::root {

/// Where the parts of a ROOT file are, as its first bytes say.
struct FileHeader {
  static constexpr std::size_t mostBytes = 100; ///< of the header itself

  std::uint64_t begin = 0;     ///< of the first record, which is the root folder's
  std::uint64_t end = 0;       ///< of the last record
  std::uint64_t nameBytes = 0; ///< from `begin` to what the root folder says of itself
  std::uint64_t infos = 0;     ///< the record that describes the classes; 0: there is none
  std::uint64_t infosBytes = 0;
};

/// Whether a file that begins so is one of ROOT's.
[[nodiscard]] bool isRootFile(std::span<const std::byte> firstBytes) noexcept;

/// Reads the header. Throws Error(corrupt).
[[nodiscard]] FileHeader readFileHeader(std::span<const std::byte> bytes, const std::string& where);

/// Where the keys of a folder are, and how many bytes; 0 where its writer died before.
struct FolderHeader {
  static constexpr std::size_t mostBytes = 72;

  std::uint64_t keys = 0;
  std::uint64_t keysBytes = 0;
};

/// Reads what a folder (TDirectory) says of itself. Throws Error(corrupt).
[[nodiscard]] FolderHeader readFolderHeader(std::span<const std::byte> bytes,
                                            const std::string& where);

} // namespace kaon::root
