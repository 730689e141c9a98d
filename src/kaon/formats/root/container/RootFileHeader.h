#pragma once

#include <kaon/formats/root/container/BigEndian.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::root {

/// A number that distinguishes files from each other.
using Uuid = std::array<std::byte, 16>;

/// The positions of the parts of a ROOT file, as stored in its header.
struct RootFileHeader {
  static constexpr std::size_t mostBytes = 100; ///< of the header itself

  /// The version of ROOT that wrote the file, such as 62206 for 6.22/06. Other programs state the
  /// version whose format they write, as kaon does.
  std::int32_t version = 64000;
  std::uint64_t begin = 0;     ///< of the root folder's record
  std::uint64_t end = 0;       ///< of the last record
  std::uint64_t nameBytes = 0; ///< from `begin` to the root folder's header
  std::uint64_t infos = 0;     ///< position of the class record, or 0
  std::uint64_t infosBytes = 0;
  std::uint64_t freeList = 0; ///< position of the record that lists free bytes
  std::uint64_t freeListBytes = 0;
  std::uint32_t freeSegments = 1; ///< in that record
  std::uint32_t compression = 0;  ///< the setting for objects that ROOT adds to the file
  Uuid uuid{};
};

/// Positions above this need the wide form of headers, folders and keys.
inline constexpr std::uint64_t mostInSmallFile = 2'000'000'000;

/// Whether `firstBytes` are the beginning of a ROOT file.
[[nodiscard]] bool isRootFile(std::span<const std::byte> firstBytes) noexcept;

/// Reads the header. Throws Error(corrupt).
[[nodiscard]] RootFileHeader readFileHeader(std::span<const std::byte> bytes,
                                            const std::string& where);

/// The place of the keys of a folder, in bytes. Both numbers are 0 if the writer crashed before
/// writing the keys.
struct FolderHeader {
  static constexpr std::size_t mostBytes = 72;

  std::uint64_t keys = 0;
  std::uint64_t keysBytes = 0;
  std::uint64_t nameBytes = 0; ///< from the beginning of its record to this header
  std::uint64_t position = 0;  ///< of its record
  std::uint64_t parent =
      0; ///< position of the folder above; not read, because older writers stored wrong values
};

/// Reads the header of a folder (TDirectory). Throws Error(corrupt).
[[nodiscard]] FolderHeader readFolderHeader(std::span<const std::byte> bytes,
                                            const std::string& where);

/// Writes a header of `header.begin` bytes. Uses the wide form for files that are too large for the
/// small form. Throws Error(usage) if the header has no room for it.
void putFileHeader(BigEndianWriter& writer, const RootFileHeader& header, const std::string& where);

/// Writes the header of a folder, which has `folderBytes` bytes.
void putFolderHeader(BigEndianWriter& writer, const FolderHeader& header, const Uuid& uuid);
inline constexpr std::size_t folderBytes = 60;

} // namespace kaon::root
