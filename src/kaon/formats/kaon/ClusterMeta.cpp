#include <kaon/formats/kaon/ClusterMeta.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/formats/kaon/Record.h>

#include <algorithm>
#include <numeric>

namespace kaon::store {
namespace {

/// Fewer meta bytes than this are read in one piece: another request would cost more.
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

void ClusterMeta::turnTo(const IndexCluster& index) {
  m_index = index;
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

void ClusterMeta::open(const IndexCluster& index) {
  turnTo(index);
  if (m_bytes->isInMemory() || wholeRange(index))
    useRecord(m_bytes->view(index.position, sizeof(RecordHeader) + index.metaSize, m_ownRecord));
}

void ClusterMeta::open(const IndexCluster& index, std::span<const std::byte> record) {
  if (record.empty())
    return open(index);
  turnTo(index);
  useRecord(record);
}

/// A header that is sound says what the index says; one that is damaged is not needed.
void ClusterMeta::useRecord(std::span<const std::byte> record) {
  const auto header = loadAs<RecordHeader>(record.data());
  if (isSound(header, header.fileId) &&
      (header.metaSize != m_index.metaSize || header.pagesSize != m_index.pagesSize ||
       header.firstEntry != m_index.firstEntry || header.entries != m_index.entries))
    failDamaged("it has other entries than the index says");
  m_meta = record.subspan(sizeof header);
}

const ColumnPages* ClusterMeta::column(std::uint32_t column) {
  const ColumnDescription& place = description(column);
  return place.isThere ? &place.pages : nullptr;
}

std::vector<std::uint32_t> ClusterMeta::columns() const {
  std::vector<std::uint32_t> blocks(std::min<std::uint64_t>(m_index.blocks, m_index.metaSize));
  std::iota(blocks.begin(), blocks.end(), 0U);
  Buffer scratch;
  const auto bytes = bytesOf(blocks, scratch);
  std::vector<std::uint32_t> columns;
  for (const std::uint32_t number : blocks) {
    const BlockReader block(bytes[number], number, name());
    for (std::uint32_t i = 0; i < columnsOfBlock; ++i)
      if (block.has(number * columnsOfBlock + i))
        columns.push_back(number * columnsOfBlock + i);
  }
  if (!columns.empty() && columns.back() >= m_schema->columns().size())
    failDamaged("it has a column that its category does not have");
  return columns;
}

std::span<const std::uint32_t> ClusterMeta::ends(std::uint32_t group) {
  bool isThere = false;
  for (const std::uint32_t root : m_schema->rootsOf(group)) {
    const auto ofRoot = m_schema->columnsOf(root);
    for (const std::uint32_t table : m_schema->tablesUnder(root)) {
      // A root is there if its columns are; a record of nothing but lists has none of its own.
      if (table != root && ofRoot.first != ofRoot.second)
        break;
      const auto [first, last] = m_schema->columnsOf(table);
      for (std::uint32_t column = first; column < last; ++column) {
        const ColumnDescription& place = description(column);
        isThere = isThere || place.isThere;
        if (!place.isThere || place.pages.ends.empty())
          continue;
        if (place.pages.ends.back() != m_index.entries)
          failDamaged("its page boundaries are out of order");
        return place.pages.ends;
      }
    }
  }
  if (isThere)
    failDamaged("its page boundaries are missing");
  return {};
}

const ClusterMeta::ColumnDescription& ClusterMeta::description(std::uint32_t column) {
  const ColumnDescription& known = m_columns[column];
  if (known.opened == m_opened)
    return known;
  const std::uint32_t block = blockOf(column);
  if (m_meta.empty())
    load({&column, 1});
  else
    describe(BlockReader(knownBytesOf(block), block, name()), column);
  return known;
}

void ClusterMeta::load(std::span<const std::uint32_t> columns) {
  const std::vector<std::uint32_t> wanted = missing(columns);
  if (wanted.empty())
    return;
  std::vector<std::uint32_t> blocks;
  for (const std::uint32_t column : wanted)
    if (blocks.empty() || blocks.back() != blockOf(column))
      blocks.push_back(blockOf(column));
  Buffer scratch;
  const auto bytes = bytesOf(blocks, scratch);
  auto column = wanted.begin();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockReader block(bytes[i], blocks[i], name());
    for (; column != wanted.end() && blockOf(*column) == blocks[i]; ++column)
      describe(block, *column);
  }
}

/// The columns, and those of the roots of their groups, that were not read yet; ascending.
std::vector<std::uint32_t> ClusterMeta::missing(std::span<const std::uint32_t> columns) const {
  std::vector<std::uint32_t> wanted;
  const auto want = [&](std::uint32_t column) {
    if (m_columns[column].opened != m_opened)
      wanted.push_back(column);
  };
  for (const std::uint32_t column : columns) {
    want(column);
    const auto [first, last] =
        m_schema->columnsOf(m_schema->groupOf(m_schema->columns()[column].table));
    for (std::uint32_t each = first; each < std::min(last, first + 2); ++each)
      want(each);
  }
  sortUnique(wanted);
  return wanted;
}

/// The bytes of blocks, ascending; none for one that is not there.
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
      static_cast<std::size_t>(std::ranges::lower_bound(blocks, m_index.blocks) - blocks.begin());
  std::vector<io::ByteRange> ranges;
  const std::uint64_t begin = metaBegin(m_index);
  for (std::size_t i = 0; i < known; ++i)
    ranges.push_back({begin + blockPlace(blocks[i]), 2 * sizeof(std::uint32_t)});
  const auto places = m_bytes->views(ranges, scratch);
  for (std::size_t i = 0; i < known; ++i) {
    ranges[i] = rangeOf(places[i]);
    ranges[i].offset += begin;
  }
  std::ranges::move(m_bytes->views(ranges, scratch), bytes.begin());
  return bytes;
}

/// The bytes of a block where all of the meta bytes are in memory.
std::span<const std::byte> ClusterMeta::knownBytesOf(std::uint32_t block) const {
  checkPlaces();
  if (block >= m_index.blocks)
    return {};
  const auto range = rangeOf(m_meta.subspan(static_cast<std::size_t>(blockPlace(block))));
  return m_meta.subspan(static_cast<std::size_t>(range.offset),
                        static_cast<std::size_t>(range.count));
}

/// The meta bytes have room for saying where all blocks begin.
void ClusterMeta::checkPlaces() const {
  if (blockPlace(m_index.blocks) + sizeof(std::uint32_t) > m_index.metaSize)
    failDamaged("what describes its columns lies outside of it");
}

/// Where in the meta bytes a block lies, by where it begins and ends.
io::ByteRange ClusterMeta::rangeOf(std::span<const std::byte> place) const {
  const auto begin = loadAs<std::uint32_t>(place.data());
  const auto end = loadAs<std::uint32_t>(place.data() + sizeof(std::uint32_t));
  if (begin < blockPlace(m_index.blocks + 1) || begin > end || end > m_index.metaSize)
    failDamaged("what describes its columns lies outside of it");
  return {begin, end - begin};
}

void ClusterMeta::describe(const BlockReader& block, std::uint32_t column) {
  ColumnDescription& described = m_columns[column];
  described.isThere = block.has(column);
  if (described.isThere) {
    block.read(*m_schema, column, described.pages);
    for (const PageEntry& page : described.pages.pages)
      if (!page.isShort &&
          (page.size > m_index.pagesSize || page.position > m_index.pagesSize - page.size))
        failDamaged("a page lies outside of it");
  } else {
    described.pages.clear();
  }
  described.opened = m_opened;
}

void ClusterMeta::failDamaged(const std::string& what) const {
  fail(ErrorKind::corrupt, m_bytes->name(), ": cluster at byte ", m_index.position, ": ", what,
       "; the file is damaged");
}

} // namespace kaon::store
