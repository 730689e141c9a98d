#pragma once

#include <kaon/formats/root/container/BigEndian.h>

#include <array>
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
  std::uint64_t freeList = 0; ///< the record that says which bytes are free
  std::uint64_t freeListBytes = 0;
  std::uint32_t compression = 0; ///< of what ROOT adds to the file
};

/// Where positions in a ROOT file become too large for the small forms of what has them.
inline constexpr std::uint64_t mostInSmallFile = 2'000'000'000;

/// Whether a file that begins so is one of ROOT's.
[[nodiscard]] bool isRootFile(std::span<const std::byte> firstBytes) noexcept;

/// Reads the header. Throws Error(corrupt).
[[nodiscard]] FileHeader readFileHeader(std::span<const std::byte> bytes, const std::string& where);

/// Where the keys of a folder are, and how many bytes; 0 where its writer died before.
struct FolderHeader {
  static constexpr std::size_t mostBytes = 72;

  std::uint64_t keys = 0;
  std::uint64_t keysBytes = 0;
  std::uint64_t nameBytes = 0; ///< from its record's beginning to this
  std::uint64_t position = 0;  ///< of its record
  std::uint64_t parent =
      0; ///< that of the folder it lies in; not read, as older writers got it wrong
};

/// What tells files from each other.
using Uuid = std::array<std::byte, 16>;

/// Reads what a folder (TDirectory) says of itself. Throws Error(corrupt).
[[nodiscard]] FolderHeader readFolderHeader(std::span<const std::byte> bytes,
                                            const std::string& where);

/// Writes a header of FileHeader::mostBytes bytes, in its wide form if the file is as long.
void putFileHeader(BigEndianWriter& writer, const FileHeader& header, const Uuid& uuid);

/// Writes what a folder says of itself, which takes `folderBytes`.
void putFolderHeader(BigEndianWriter& writer, const FolderHeader& header, const Uuid& uuid);
inline constexpr std::size_t folderBytes = 60;

} // namespace kaon::root
