#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/codec/Encoding.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/model/Schema.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// The structures of a .kaon file, explained in docs/format.md. All are little-endian, without
// implicit padding, and are copied byte by byte.

namespace kaon::kaonfile {

inline constexpr std::uint32_t formatVersion = 1;

/// Like PNG's signature: reveals files that a text-mode transfer changed.
inline constexpr std::array<char, 8> fileMagic{'\x89', 'K', 'A', 'O', 'N', '\r', '\n', '\x1a'};
inline constexpr std::uint32_t recordMagic = 0x4345524b; // "KREC"

/// Records, and pages stored raw, begin at multiples of this, so that a mapped file is aligned.
inline constexpr std::uint64_t alignment = 64;
/// Shorter raw pages begin at multiples of this.
inline constexpr std::uint64_t shortAlignment = 16;
[[nodiscard]] constexpr std::uint64_t aligned(std::uint64_t position) noexcept {
  return (position + alignment - 1) / alignment * alignment;
}

/// Flags of the file header. Readers must know the lower 16, and ignore the upper 16.
inline constexpr std::uint32_t essentialFlags = 0xffff;
inline constexpr std::uint32_t sealedBlocks = 1; ///< checksums of clusters' blocks are sealed

/// The first bytes of a file.
struct FileHeader {
  std::array<char, 8> magic = fileMagic;
  std::uint32_t version = formatVersion;
  std::uint32_t flags = sealedBlocks;
  std::uint64_t fileId = 0;
  std::uint64_t checksum = 0; ///< of the bytes before it
};
static_assert(sizeof(FileHeader) == 32);

/// Kinds of records. Readers skip other kinds.
enum class RecordKind : std::uint32_t {
  schema = 1,   ///< Further tables of a category.
  cluster = 2,  ///< Entries.
  document = 3, ///< A text.
  index = 4,    ///< The places of all other records.
  end = 5,      ///< The last record of a complete file.
  tags = 6,     ///< The tags of several clusters, stored together a second time.
  copy = 7      ///< All schemas and short documents so far, stored a second time.
};

/// The header of a record. The record's meta bytes follow, then a cluster's pages from the next
/// multiple of `alignment`.
struct RecordHeader {
  std::uint32_t magic = recordMagic;
  RecordKind kind = RecordKind::schema;
  std::uint64_t fileId = 0;
  std::uint64_t metaSize = 0;
  std::uint64_t pagesSize = 0;
  std::uint64_t firstEntry = 0; ///< Clusters and tags.
  /// Clusters and tags. Other records have the flags of the file header here.
  std::uint32_t entries = 0;
  std::uint32_t category = 0; ///< Clusters, tags and schemas: in the order of the first schemas.
  std::uint64_t metaChecksum = 0;
  std::uint64_t checksum = 0; ///< Of the bytes before it.
};
static_assert(sizeof(RecordHeader) == 64);

/// The last record of a complete file. Its meta bytes repeat the file header.
struct EndRecord {
  std::uint32_t magic = recordMagic;
  RecordKind kind = RecordKind::end;
  std::uint64_t fileId = 0;
  std::uint64_t metaSize = sizeof(FileHeader);
  std::uint64_t pagesSize = 0;
  std::uint64_t indexPosition = 0; ///< of the index record
  std::uint64_t indexSize = 0;     ///< of its meta bytes
  std::uint64_t metaChecksum = 0;
  std::uint64_t checksum = 0; ///< of the bytes before it
  FileHeader header;
};
static_assert(offsetof(EndRecord, header) == sizeof(RecordHeader) &&
              offsetof(EndRecord, metaChecksum) == offsetof(RecordHeader, metaChecksum));

/// Returns the position of the next record after one at `position`. Only for checked sizes.
[[nodiscard]] constexpr std::uint64_t behind(std::uint64_t position,
                                             const RecordHeader& record) noexcept {
  return aligned(aligned(position + sizeof(RecordHeader) + record.metaSize) + record.pagesSize);
}

/// The beginning of the meta bytes of schemas, documents and the index. The body follows,
/// compressed.
struct BodyHead {
  std::uint64_t size = 0; ///< of the uncompressed body
  std::uint32_t codec = 0;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(BodyHead) == 16);

/// The beginning of a schema's body. The tables, their members, the texts of all tables, the texts
/// of all members and the category's name follow.
struct SchemaHead {
  TableNumber firstTable = 0;
  std::uint32_t tables = 0;
  std::uint32_t members = 0;
  std::uint32_t nameSize = 0;
  std::uint64_t textsSize = 0;
};
/// A table. Its texts follow each other in the order of these sizes.
struct SchemaTable {
  std::uint32_t nameSize = 0;
  std::uint32_t typeSize = 0;
  std::uint32_t descriptionSize = 0;
  std::uint32_t groupSize = 0;
  std::uint32_t parent = 0;
  std::uint32_t rowSize = 0;
  std::uint32_t members = 0;
  TableKind kind = TableKind::collection;
  Layout layout = Layout::split;
  TableUse use = TableUse::none;
  std::uint8_t statesStructure = 0; ///< 1: the members' structures tell how names nest
};
/// A member. Its texts follow each other in the order of these sizes.
struct SchemaMember {
  std::uint32_t nameSize = 0;
  std::uint32_t unitSize = 0;
  std::uint32_t descriptionSize = 0;
  std::uint32_t extent = 0;
  std::uint32_t offset = 0;
  Scalar type = Scalar::Bool;
  Precision::Kind precisionKind = Precision::Kind::exact;
  std::uint8_t precisionBits = 0;
  std::uint8_t listsBefore = 0;
  std::uint64_t missing = 0;
  double precisionLow = 0;
  double precisionStep = 0;
  std::uint32_t precisionLast = 0;
  std::uint32_t structureSize = 0;
};
static_assert(sizeof(SchemaHead) == 24 && sizeof(SchemaTable) == 32 && sizeof(SchemaMember) == 56);

/// The beginning of the index's body. Categories, documents and others follow. Positions in the
/// index count from the beginning of the body, are multiples of 8, and ascend in this order.
struct IndexHead {
  std::uint32_t categories = 0;
  std::uint32_t documents = 0;
  std::uint32_t others = 0;
  std::uint32_t reserved = 0;
};
struct IndexCategory {
  std::uint64_t schema = 0; ///< position of the category's schema, in the form of a record
  std::uint64_t schemaSize = 0;
  std::uint64_t clusters = 0; ///< position of its clusters; its tags follow
  std::uint32_t clusterCount = 0;
  std::uint32_t tagsCount = 0;
  std::uint64_t bounds = 0; ///< position of the bounds of each cluster's keys
  std::uint32_t keys = 0;   ///< number of key tables
  std::uint32_t reserved = 0;
};
struct IndexCluster {
  std::uint64_t position = 0; ///< of its record in the file
  std::uint64_t metaSize = 0;
  std::uint64_t pagesSize = 0;
  std::uint64_t firstEntry = 0;
  std::uint32_t entries = 0;
  std::uint32_t blocks = 0; ///< of columns, in its meta bytes
};
struct IndexDocument {
  std::uint64_t name = 0;
  std::uint64_t nameSize = 0;
  std::uint64_t position = 0; ///< of its record in the file
  std::uint64_t metaSize = 0;
  std::uint64_t metaChecksum = 0;
  std::uint64_t text = 0; ///< position of its text, if the index has it
  std::uint64_t textSize = 0;
};
/// A record of an unknown kind, which readers skip.
struct IndexOther {
  std::uint32_t kind = 0;
  std::uint32_t category = 0;
  std::uint64_t position = 0;
  std::uint64_t metaSize = 0;
};
static_assert(sizeof(IndexHead) == 16 && sizeof(IndexCategory) == 48 &&
              sizeof(IndexCluster) == 40 && sizeof(IndexDocument) == 56 &&
              sizeof(IndexOther) == 24);

/// The bytes whose checksum is the seal of a cluster. They identify it among all clusters of all
/// files.
struct SealedFields {
  std::uint64_t fileId = 0;
  std::uint64_t firstEntry = 0;
  std::uint32_t entries = 0;
  std::uint32_t category = 0;
  RecordKind kind = RecordKind::cluster;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(SealedFields) == 32);

// The meta bytes of a cluster: the number of blocks, the beginning of each block and the end of the
// last (32 bits each), then the blocks. A block describes the pages of 16 columns that the cluster
// may have. Reading the descriptions of a few columns therefore takes few bytes, however many
// columns exist.

inline constexpr std::uint32_t columnsOfBlock = 16;
[[nodiscard]] constexpr std::uint32_t blockOf(ColumnNumber column) noexcept {
  return column / columnsOfBlock;
}
/// Returns the number of blocks for this many columns.
[[nodiscard]] constexpr std::uint32_t blocksOf(std::size_t columns) noexcept {
  return static_cast<std::uint32_t>((columns + columnsOfBlock - 1) / columnsOfBlock);
}
/// Returns the place of a block's beginning in a cluster's meta bytes.
[[nodiscard]] constexpr std::uint64_t blockPlace(std::uint32_t block) noexcept {
  return sizeof(std::uint32_t) * (std::uint64_t{block} + 1);
}
/// Returns the number of blocks in a cluster's meta bytes; 0 if they are too short.
[[nodiscard]] inline std::uint32_t blocksIn(std::span<const std::byte> meta) noexcept {
  return meta.size() < sizeof(std::uint32_t) ? 0 : detail::loadAs<std::uint32_t>(meta.data());
}
/// Pages of at most this many bytes are stored in their description.
inline constexpr std::uint64_t shortPage = 16;

using codec::Encoding;

/// Facts about a page beside its bounds.
enum class PageFlags : std::uint8_t {
  none = 0,
  hasNaN = 1,   ///< has NaN, which the bounds ignore
  unbounded = 2 ///< has no values, or only NaN
};
[[nodiscard]] constexpr PageFlags operator|(PageFlags a, PageFlags b) noexcept {
  return static_cast<PageFlags>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
[[nodiscard]] constexpr bool has(PageFlags set, PageFlags flag) noexcept {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(flag)) != 0;
}

/// The least and the greatest of values of at most 8 bytes, unconverted and padded with zeros.
struct Bounds {
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;
};
static_assert(sizeof(Bounds) == 16);

/// Returns whether `stored` bytes can decode to `decoded` bytes. Readers of damaged files thus
/// never allocate memory out of proportion. Writers respect this limit.
[[nodiscard]] constexpr bool isPlausible(std::uint64_t stored, std::uint64_t decoded) noexcept {
  return decoded <= (std::uint64_t{1} << 26) || decoded / 4096 <= stored;
}

/// Returns the bytes of a struct before `offset`, which its checksum covers.
template <class T>
[[nodiscard]] std::span<const std::byte> bytesBefore(const T& thing, std::size_t offset) noexcept {
  return std::as_bytes(std::span(&thing, 1)).first(offset);
}

/// Returns the form of a column's values for encodings: scalars, or whole rows.
[[nodiscard]] codec::Element elementOf(const Schema& schema, const Column& column) noexcept;

/// Returns a column's name for users: of its member, or else of its table.
[[nodiscard]] std::string nameOf(const Schema& schema, const Column& column);

/// Takes `count` elements off the front of aligned bytes; nothing if there are fewer.
template <class T>
[[nodiscard]] std::optional<std::span<const T>> takeArray(std::span<const std::byte>& bytes,
                                                          std::uint64_t count) noexcept {
  if (count > bytes.size() / sizeof(T))
    return std::nullopt;
  const std::span<const T> elements(detail::valuesAt<T>(bytes.data()),
                                    static_cast<std::size_t>(count));
  bytes = bytes.subspan(static_cast<std::size_t>(count) * sizeof(T));
  return elements;
}

/// Returns the range [first, last) of a table's members in a column, whose bounds are stored: one
/// member, all members for rows, none for counts and presence.
[[nodiscard]] MemberRange membersIn(const Schema& schema, const Column& column) noexcept;

/// Returns the body of a schema record with the tables from `firstTable`.
[[nodiscard]] Buffer schemaBytes(const Schema& schema, TableNumber firstTable,
                                 std::string_view category);
/// Adds the next tables, from the body of a schema record, to a schema. Returns the category's
/// name. Throws Error(corrupt); `where` is for messages.
[[nodiscard]] std::string addSchema(Schema& schema, std::span<const std::byte> bytes,
                                    const std::string& where);

} // namespace kaon::kaonfile
