#include <kaon/formats/kaonfile/ClusterMeta.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/SortUnique.h>
#include <kaon/formats/kaonfile/FileRecord.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace kaon::kaonfile {
namespace {

/// Up to this size, meta bytes are read at once: another request would cost more.
constexpr std::uint64_t fewBytes = 16 * 1024;

constexpr std::uint64_t metaBegin(const IndexCluster& index) noexcept {
  return index.position + sizeof(RecordHeader);
}

} // namespace

std::optional<io::ByteRange> ClusterMeta::wholeRange(const IndexCluster& index) noexcept {
  if (index.metaSize > fewBytes)
    return std::nullopt;
  return io::ByteRange{index.position, sizeof(RecordHeader) + index.metaSize};
}

void ClusterMeta::turnTo(const IndexCluster& index, RecordKind kind) {
  m_cluster.index = index;
  m_cluster.kind = kind;
  m_seal = m_cluster.seal();
  ++m_opened;
  m_meta = {};
  if (index.position == 0)
    fail(ErrorKind::corrupt, m_bytes->name(), ": entries ", index.firstEntry, " to ",
         index.firstEntry + index.entries, " were lost with a damaged part of the file");
  m_pagesBegin = aligned(metaBegin(index) + index.metaSize);
  if (index.metaSize > m_bytes->size() || index.pagesSize > m_bytes->size() ||
      index.position > m_bytes->size() ||
      (index.pagesSize > 0 && m_pagesBegin > m_bytes->size() - index.pagesSize))
    failDamaged("it lies outside the file");
}

void ClusterMeta::open(const IndexCluster& index, RecordKind kind) {
  turnTo(index, kind);
  if (m_bytes->isInMemory() || wholeRange(index))
    useRecord(m_bytes->view(index.position, sizeof(RecordHeader) + index.metaSize, m_ownRecord));
}

void ClusterMeta::open(const IndexCluster& index, RecordKind kind,
                       std::span<const std::byte> record) {
  if (record.empty())
    return open(index, kind);
  turnTo(index, kind);
  useRecord(record);
}

/// Uses a header and meta bytes. Large meta bytes are not checked as a whole, because that would
/// take longer with each column.
void ClusterMeta::useRecord(std::span<const std::byte> record) {
  const auto header = detail::loadAs<RecordHeader>(record.data());
  m_meta = record.subspan(sizeof header);
  if (checkHeader(header) && m_meta.size() <= fewBytes && header.metaChecksum != checksum(m_meta))
    failDamaged("the description of its columns does not match its checksum");
}

/// Checks that a sound header belongs to the cluster. Returns false for a damaged header, which is
/// not needed.
bool ClusterMeta::checkHeader(const RecordHeader& header) const {
  if (!isSound(header, header.fileId))
    return false;
  if (const auto mistake = m_cluster.mistakeIn(header); !mistake.empty())
    failDamaged(mistake);
  return true;
}

const ColumnPages* ClusterMeta::column(ColumnNumber column) {
  const ColumnDescription& place = description(column);
  return place.isThere ? &place.pages : nullptr;
}

std::vector<std::uint32_t> ClusterMeta::columns() const {
  std::vector<std::uint32_t> blocks(std::min<std::uint64_t>(index().blocks, index().metaSize));
  std::iota(blocks.begin(), blocks.end(), 0U);
  Buffer scratch;
  const auto bytes = bytesOf(blocks, scratch);
  std::vector<std::uint32_t> columns;
  for (const std::uint32_t number : blocks) {
    const ColumnBlockReader block(bytes[number], number, place());
    for (std::uint32_t i = 0; i < columnsOfBlock; ++i)
      if (block.has(number * columnsOfBlock + i))
        columns.push_back(number * columnsOfBlock + i);
  }
  if (!columns.empty() && columns.back() >= m_schema->columns().size())
    failDamaged("it has a column that its category does not have");
  return columns;
}

std::span<const std::uint32_t> ClusterMeta::ends(TableNumber group) {
  bool isThere = false;
  for (const TableNumber root : m_schema->rootsOf(group)) {
    const auto ofRoot = m_schema->columnsOf(root);
    for (const TableNumber table : m_schema->tablesUnder(root)) {
      // A root exists if its columns do. Records with only lists have no columns of their own.
      if (table != root && ofRoot.first != ofRoot.last)
        break;
      for (const ColumnNumber column : m_schema->columnsOf(table)) {
        const ColumnDescription& place = description(column);
        isThere = isThere || place.isThere;
        if (!place.isThere || place.pages.ends.empty())
          continue;
        if (place.pages.ends.back() != index().entries)
          failDamaged("its page boundaries are out of order");
        return place.pages.ends;
      }
    }
  }
  if (isThere)
    failDamaged("its page boundaries are missing");
  return {};
}

const ClusterMeta::ColumnDescription& ClusterMeta::description(ColumnNumber column) {
  const ColumnDescription& known = m_columns[column];
  if (known.opened == m_opened)
    return known;
  const std::uint32_t block = blockOf(column);
  if (m_meta.empty())
    load(std::array<std::uint32_t, 1>{column});
  else
    describe(ColumnBlockReader(knownBytesOf(block), block, place()), column);
  return known;
}

void ClusterMeta::load(std::span<const std::uint32_t> columns) {
  const std::vector<std::uint32_t> wanted = missing(columns);
  if (wanted.empty())
    return;
  std::vector<std::uint32_t> blocks;
  for (const ColumnNumber column : wanted)
    if (blocks.empty() || blocks.back() != blockOf(column))
      blocks.push_back(blockOf(column));
  Buffer scratch;
  const auto bytes = bytesOf(blocks, scratch);
  auto column = wanted.begin();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const ColumnBlockReader block(bytes[i], blocks[i], place());
    for (; column != wanted.end() && blockOf(*column) == blocks[i]; ++column)
      describe(block, *column);
  }
}

/// Returns the columns, and the first columns of their groups, that are not read yet; ascending.
std::vector<std::uint32_t> ClusterMeta::missing(std::span<const std::uint32_t> columns) const {
  std::vector<std::uint32_t> wanted;
  const auto want = [&](ColumnNumber column) {
    if (m_columns[column].opened != m_opened)
      wanted.push_back(column);
  };
  for (const ColumnNumber column : columns) {
    want(column);
    const auto [first, last] =
        m_schema->columnsOf(m_schema->groupOf(m_schema->columns()[column].table));
    for (ColumnNumber each = first; each < last && each < first + 2; ++each)
      want(each);
  }
  sortUnique(wanted);
  return wanted;
}

/// Returns the bytes of blocks, given in ascending order; no bytes for missing blocks.
std::vector<std::span<const std::byte>> ClusterMeta::bytesOf(std::span<const std::uint32_t> blocks,
                                                             Buffer& scratch) const {
  std::vector<std::span<const std::byte>> bytes(blocks.size());
  if (!m_meta.empty()) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
      bytes[i] = knownBytesOf(blocks[i]);
    return bytes;
  }
  checkPlaces();
  const auto known =
      static_cast<std::size_t>(std::ranges::lower_bound(blocks, index().blocks) - blocks.begin());
  std::vector<io::ByteRange> ranges;
  const std::uint64_t begin = metaBegin(index());
  for (std::size_t i = 0; i < known; ++i)
    ranges.push_back({begin + blockPlace(blocks[i]), 2 * sizeof(std::uint32_t)});
  const bool needsHeader = m_seal == 0; // Without a seal, only the header identifies the cluster.
  if (needsHeader)
    ranges.push_back({index().position, sizeof(RecordHeader)});
  const auto places = m_bytes->views(ranges, scratch);
  if (needsHeader) {
    (void)checkHeader(detail::loadAs<RecordHeader>(places.back().data()));
    ranges.pop_back();
  }
  for (std::size_t i = 0; i < known; ++i) {
    ranges[i] = rangeOf(places[i]);
    ranges[i].offset += begin;
  }
  std::ranges::move(m_bytes->views(ranges, scratch), bytes.begin());
  return bytes;
}

/// Returns the bytes of a block if all meta bytes are in memory.
std::span<const std::byte> ClusterMeta::knownBytesOf(std::uint32_t block) const {
  checkPlaces();
  if (block >= index().blocks)
    return {};
  const auto range = rangeOf(m_meta.subspan(static_cast<std::size_t>(blockPlace(block))));
  return m_meta.subspan(static_cast<std::size_t>(range.offset),
                        static_cast<std::size_t>(range.count));
}

/// Checks that the meta bytes have room for the table of blocks.
void ClusterMeta::checkPlaces() const {
  if (blockPlace(index().blocks) + sizeof(std::uint32_t) > index().metaSize)
    failDamaged("the description of its columns lies outside of it");
}

/// Returns the range of a block in the meta bytes from its entry in the table of blocks.
io::ByteRange ClusterMeta::rangeOf(std::span<const std::byte> place) const {
  const auto begin = detail::loadAs<std::uint32_t>(place.data());
  const auto end = detail::loadAs<std::uint32_t>(place.data() + sizeof(std::uint32_t));
  if (begin < blockPlace(index().blocks + 1) || begin > end || end > index().metaSize)
    failDamaged("the description of its columns lies outside of it");
  return {begin, end - begin};
}

void ClusterMeta::describe(const ColumnBlockReader& block, ColumnNumber column) {
  ColumnDescription& described = m_columns[column];
  described.isThere = block.has(column);
  if (described.isThere) {
    block.read(*m_schema, column, described.pages);
    for (const PageEntry& page : described.pages.pages)
      if (!page.isShort &&
          (page.size > index().pagesSize || page.position > index().pagesSize - page.size))
        failDamaged("a page lies outside of it");
  } else {
    described.pages.clear();
  }
  described.opened = m_opened;
}

} // namespace kaon::kaonfile
