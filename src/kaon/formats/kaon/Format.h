#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/codec/Encoding.h>
#include <kaon/model/Schema.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// The structures of a .kaon file as they lie in it; docs/format.md explains them. All are
// little-endian, have no padding of their own and are copied as they are.

namespace kaon::store {

inline constexpr std::uint32_t formatVersion = 1;

/// Like PNG's: shows at once a file that went through a text-mode transfer.
inline constexpr std::array<char, 8> fileMagic{'\x89', 'K', 'A', 'O', 'N', '\r', '\n', '\x1a'};
inline constexpr std::uint32_t recordMagic = 0x4345524b; // "KREC"

/// Records, and pages stored raw, begin at multiples of this, so that a mapped file is aligned.
inline constexpr std::uint64_t alignment = 64;
/// Raw pages that are shorter begin at multiples of this.
inline constexpr std::uint64_t shortAlignment = 16;
[[nodiscard]] constexpr std::uint64_t aligned(std::uint64_t position) noexcept {
  return (position + alignment - 1) / alignment * alignment;
}

/// Of the flags in a file's header, those that a reader must know are the lower 16; it ignores the
/// upper 16.
inline constexpr std::uint32_t essentialFlags = 0xffff;
inline constexpr std::uint32_t sealedBlocks = 1; ///< the checksums of clusters' blocks are sealed

/// The file's first bytes.
struct FileHeader {
  std::array<char, 8> magic = fileMagic;
  std::uint32_t version = formatVersion;
  std::uint32_t flags = sealedBlocks;
  std::uint64_t fileId = 0;
  std::uint64_t checksum = 0; ///< of the bytes before it
};
static_assert(sizeof(FileHeader) == 32);

/// Readers pass over records of other kinds.
enum class RecordKind : std::uint32_t {
  schema = 1,   ///< tables that a category gets from here on
  cluster = 2,  ///< entries
  document = 3, ///< a text
  index = 4,    ///< where all of them are
  end = 5,      ///< the last one of a file that is complete
  tags = 6      ///< the tags of several clusters once more, together
};

/// Stands before each record: the record's meta bytes follow it, and then, from the next multiple
/// of `alignment` on, a cluster's pages.
struct RecordHeader {
  std::uint32_t magic = recordMagic;
  RecordKind kind = RecordKind::schema;
  std::uint64_t fileId = 0;
  std::uint64_t metaSize = 0;
  std::uint64_t pagesSize = 0;
  std::uint64_t firstEntry = 0; ///< clusters and tags
  std::uint32_t entries = 0;    ///< clusters and tags; of others the flags of the file's header
  std::uint32_t category = 0;   ///< clusters, tags and schemas: in the order of the first schemas
  std::uint64_t metaChecksum = 0;
  std::uint64_t checksum = 0; ///< of the bytes before it
};
static_assert(sizeof(RecordHeader) == 64);

/// The last record of a complete file. Its meta bytes are the file's header once more.
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

/// Where the next record begins behind one at `position`. Only for sizes that were checked.
[[nodiscard]] constexpr std::uint64_t behind(std::uint64_t position,
                                             const RecordHeader& record) noexcept {
  return aligned(aligned(position + sizeof(RecordHeader) + record.metaSize) + record.pagesSize);
}

/// The meta bytes of schemas, documents and the index begin with this; the body follows, as a codec
/// shrank it.
struct BodyHead {
  std::uint64_t size = 0; ///< of the body itself
  std::uint32_t codec = 0;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(BodyHead) == 16);

/// The body of a schema begins with this; the tables, their members, the texts of all tables, those
/// of all members and the category's name follow.
struct SchemaHead {
  std::uint32_t firstTable = 0;
  std::uint32_t tables = 0;
  std::uint32_t members = 0;
  std::uint32_t nameSize = 0;
  std::uint64_t textsSize = 0;
};
/// A table; its texts follow each other in this order.
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
  std::uint8_t statesStructure = 0; ///< 1: the members' structures say how names nest
};
/// A member; its texts too.
struct SchemaMember {
  std::uint32_t nameSize = 0;
  std::uint32_t unitSize = 0;
  std::uint32_t descriptionSize = 0;
  std::uint32_t extent = 0;
  std::uint32_t offset = 0;
  Scalar type = Scalar::Bool;
  Precision::Kind precisionKind = Precision::Kind::exact;
  std::uint8_t precisionBits = 0;
  std::uint8_t reserved = 0;
  std::uint64_t missing = 0;
  double precisionLow = 0;
  double precisionStep = 0;
  std::uint32_t precisionLast = 0;
  std::uint32_t structureSize = 0;
};
static_assert(sizeof(SchemaHead) == 24 && sizeof(SchemaTable) == 32 && sizeof(SchemaMember) == 56);

/// The body of the index begins with this; the categories, documents and others follow. Their
/// positions in the index count from the beginning of the body, are multiples of 8, and what
/// lies there follows in the same order.
struct IndexHead {
  std::uint32_t categories = 0;
  std::uint32_t documents = 0;
  std::uint32_t others = 0;
  std::uint32_t reserved = 0;
};
struct IndexCategory {
  std::uint64_t schema = 0; ///< position of the category's schema, as in a record
  std::uint64_t schemaSize = 0;
  std::uint64_t clusters = 0; ///< position of its clusters; its tags follow them
  std::uint32_t clusterCount = 0;
  std::uint32_t tagsCount = 0;
  std::uint64_t bounds = 0; ///< position of the bounds: of each cluster, of each key
  std::uint32_t keys = 0;   ///< the number of key tables
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
  std::uint64_t text = 0; ///< position of its text, if the index has that too
  std::uint64_t textSize = 0;
};
/// A record of a kind that readers pass over unless they know it.
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
struct SealedPlace {
  std::uint64_t fileId = 0;
  std::uint64_t firstEntry = 0;
  std::uint32_t entries = 0;
  std::uint32_t category = 0;
  RecordKind kind = RecordKind::cluster;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(SealedPlace) == 32);

// The meta bytes of a cluster: the number of blocks, where each of them begins, and where the last
// one ends (32 bits each); then the blocks. A block describes the pages of so many columns, of
// those that the cluster has: so finding out about a few columns needs a few bytes, however many
// there are.

inline constexpr std::uint32_t columnsOfBlock = 16;
[[nodiscard]] constexpr std::uint32_t blockOf(std::uint32_t column) noexcept {
  return column / columnsOfBlock;
}
/// How many blocks so many columns take.
[[nodiscard]] constexpr std::uint32_t blocksOf(std::size_t columns) noexcept {
  return static_cast<std::uint32_t>((columns + columnsOfBlock - 1) / columnsOfBlock);
}
/// Where a cluster's meta bytes say where a block begins.
[[nodiscard]] constexpr std::uint64_t blockPlace(std::uint32_t block) noexcept {
  return sizeof(std::uint32_t) * (std::uint64_t{block} + 1);
}
/// The number of blocks in a cluster's meta bytes; 0 if these are too few.
[[nodiscard]] inline std::uint32_t blocksIn(std::span<const std::byte> meta) noexcept {
  return meta.size() < sizeof(std::uint32_t) ? 0 : detail::loadAs<std::uint32_t>(meta.data());
}
/// Pages that take no more bytes than this may stand where they are described.
inline constexpr std::uint64_t shortPage = 16;

using codec::Encoding;

/// What the bounds of a page do not say.
enum class PageFlags : std::uint8_t {
  none = 0,
  hasNaN = 1,   ///< it has NaNs, which the bounds leave out
  unbounded = 2 ///< it has no value, or only NaNs
};
[[nodiscard]] constexpr PageFlags operator|(PageFlags a, PageFlags b) noexcept {
  return static_cast<PageFlags>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
[[nodiscard]] constexpr bool has(PageFlags set, PageFlags flag) noexcept {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(flag)) != 0;
}

/// The least and the greatest of values of at most 8 bytes, each as it is, with zeros behind it.
struct Bounds {
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;
};
static_assert(sizeof(Bounds) == 16);

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

/// What users call a column: by its member, else by its table.
[[nodiscard]] std::string nameOf(const Schema& schema, const Column& column);

/// Takes `count` elements off the front of aligned bytes; nothing if there are not so many.
template <class T>
[[nodiscard]] std::optional<std::span<const T>> takeArray(std::span<const std::byte>& bytes,
                                                          std::uint64_t count) noexcept {
  if (count > bytes.size() / sizeof(T))
    return std::nullopt;
  const std::span<const T> elements(reinterpret_cast<const T*>(bytes.data()),
                                    static_cast<std::size_t>(count));
  bytes = bytes.subspan(static_cast<std::size_t>(count) * sizeof(T));
  return elements;
}

/// The members of a table whose values lie in the column, and of which bounds are kept: one, or all
/// of a column of rows; none of counts and presence. First and last.
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> membersIn(const Schema& schema,
                                                                const Column& column) noexcept;

/// A category's tables from `firstTable` on, as the body of a schema record has them.
[[nodiscard]] Buffer schemaBytes(const Schema& schema, std::uint32_t firstTable,
                                 std::string_view category);
/// Adds such tables to a schema, of which they are the next ones, and returns the category's name.
/// `where` is for the message: throws Error(corrupt).
[[nodiscard]] std::string addSchema(Schema& schema, std::span<const std::byte> bytes,
                                    const std::string& where);

} // namespace kaon::store
