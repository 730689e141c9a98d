#pragma once

#include <kaon/base/Bytes.h>
#include <kaon/codec/Encoding.h>
#include <kaon/model/Schema.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The structures of a .kaon file as they lie in it; docs/format.md explains them. All are
// little-endian, have no padding of their own and are copied as they are.

namespace kaon::store {

inline constexpr std::uint32_t formatVersion = 0;

/// Like PNG's: shows at once a file that went through a text-mode transfer.
inline constexpr std::array<char, 8> fileMagic{'\x89', 'K', 'A', 'O', 'N', '\r', '\n', '\x1a'};
inline constexpr std::array<char, 8> endMagic{'K', 'A', 'O', 'N', 'E', 'N', 'D', '\n'};
inline constexpr std::uint32_t recordMagic = 0x4345524b; // "KREC"

/// Records, and pages stored raw, begin at multiples of this, so that a mapped file is aligned.
inline constexpr std::uint64_t alignment = 64;
[[nodiscard]] constexpr std::uint64_t aligned(std::uint64_t position) noexcept {
  return (position + alignment - 1) / alignment * alignment;
}

/// The file's first bytes.
struct FileHeader {
  std::array<char, 8> magic = fileMagic;
  std::uint32_t version = formatVersion;
  std::uint32_t flags = 0; ///< none is defined; a reader refuses those that it does not know
  std::uint64_t fileId = 0;
  std::uint64_t checksum = 0; ///< of the bytes before it
};
static_assert(sizeof(FileHeader) == 32);

enum class RecordKind : std::uint32_t { schema = 1, cluster = 2, document = 3, index = 4 };

/// Stands before each record: the record's meta bytes follow it, and then, from the next multiple
/// of `alignment` on, a cluster's pages.
struct RecordHeader {
  std::uint32_t magic = recordMagic;
  RecordKind kind = RecordKind::schema;
  std::uint64_t fileId = 0;
  std::uint64_t metaSize = 0;
  std::uint64_t pagesSize = 0;
  std::uint64_t firstEntry = 0; ///< clusters
  std::uint32_t entries = 0;    ///< clusters
  std::uint32_t category = 0;   ///< clusters and schemas: in the order of the first schemas
  std::uint64_t metaChecksum = 0;
  std::uint64_t checksum = 0; ///< of the bytes before it
};
static_assert(sizeof(RecordHeader) == 64);

/// The file's last bytes.
struct FileTrailer {
  std::uint64_t indexPosition = 0; ///< of the index record
  std::uint64_t fileId = 0;
  std::uint64_t checksum = 0; ///< of the bytes before it
  std::array<char, 8> magic = endMagic;
};
static_assert(sizeof(FileTrailer) == 32);

/// The meta bytes of a cluster begin with this; the four arrays follow in the order of the counts.
struct ClusterHead {
  std::uint32_t groups = 0;
  std::uint32_t columns = 0;
  std::uint32_t boundaries = 0;
  std::uint32_t pages = 0;
};
/// A root table and those under it: they share their page boundaries.
struct ClusterGroup {
  std::uint32_t table = 0;
  std::uint32_t firstBoundary = 0;
  std::uint32_t pages = 0;
  std::uint32_t reserved = 0;
};
struct ClusterColumn {
  std::uint32_t column = 0;
  std::uint32_t firstPage = 0;
};
// Boundaries: for each page of a group the first entry after it, counted from the cluster's first.
using ClusterBoundary = std::uint32_t;

using codec::Encoding;

struct PageEntry {
  std::uint64_t position = 0; ///< from the beginning of the cluster's pages
  std::uint64_t size = 0;     ///< bytes stored
  std::uint64_t values = 0;
  std::uint64_t checksum = 0; ///< of the bytes stored
  Encoding encoding = Encoding::raw;
  std::uint8_t codec = 0; ///< that its pieces may be compressed with; they say so themselves
  std::array<std::uint8_t, 6> reserved{};
};
static_assert(sizeof(ClusterHead) == 16 && sizeof(ClusterGroup) == 16 &&
              sizeof(ClusterColumn) == 8 && sizeof(PageEntry) == 40);

/// Whether a page of that many bytes can stand for that many decoded ones: so that a damaged file
/// does not make a reader take memory out of proportion. The writer keeps to it.
[[nodiscard]] constexpr bool isPlausible(std::uint64_t stored, std::uint64_t decoded) noexcept {
  return decoded <= (std::uint64_t{1} << 26) || decoded / 4096 <= stored;
}

/// The checksum of a struct whose `checksum` lies at `offset`.
template <class T>
[[nodiscard]] std::span<const std::byte> bytesBefore(const T& thing, std::size_t offset) noexcept {
  return std::as_bytes(std::span(&thing, 1)).first(offset);
}

/// What the values of a column are to the encodings: its scalars, or rows as they lie.
[[nodiscard]] codec::Element elementOf(const Schema& schema, const Column& column) noexcept;

void writeTable(ByteWriter& out, const Table& table);
/// Throws Error(corrupt) where the bytes are none; whether it fits is for Schema::check().
[[nodiscard]] Table readTable(ByteReader& in);

} // namespace kaon::store
