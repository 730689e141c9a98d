#include <kaon/formats/kaonfile/KeysWriter.h>

#include <kaon/base/Damage.h>
#include <kaon/formats/kaonfile/CategorySource.h>
#include <kaon/formats/kaonfile/SortedKeys.h>
#include <kaon/formats/kaonfile/SortedKeysName.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace kaon::kaonfile {
namespace {

SinkOptions optionsOfKeys(const SinkOptions& options) {
  SinkOptions ofKeys{.codec = options.codec, .goal = options.goal};
  ofKeys.pageBytes = keyPageRows * sizeof(std::uint64_t);
  return ofKeys;
}

} // namespace

KeysWriter::KeysWriter(ContentsWriter& file, ClusterMemory& memory, std::uint32_t category,
                       const SinkOptions& options)
    : m_file(file), m_memory(memory), m_category(category),
      m_keys(options, file.sink().directory()), m_pages(optionsOfKeys(options)) {}

void KeysWriter::takeOver(const std::shared_ptr<const io::ByteSource>& bytes) {
  m_bytes = bytes;
  const auto& categories = m_file.contents().categories;
  const auto sorted =
      std::ranges::find(categories, sortedKeysOf(contents().name), &CategoryContents::name);
  const bool areKnown = sorted != categories.end();
  if (areKnown) {
    m_sorted = static_cast<std::uint32_t>(sorted - categories.begin());
    if (!m_keys.takeKnown(sorted->schema, contents().schema))
      return;
  }
  const std::size_t known = places().size();
  findKeys();
  m_keys.renewSorter();
  const std::size_t all = places().size();
  if (all == 0 || (areKnown && all == known && isWhole(*sorted, contents())))
    return;
  if (areKnown)
    m_file.dropClusters(*m_sorted, 0);
  if (!unlessDamaged([&] {
        const CategorySource source(*m_bytes, m_file.contents().file, contents(), {});
        readKeys(source, places(), m_keys.sorter());
      }))
    m_keys.turnOff();
}

void KeysWriter::findKeys() { m_keys.find(contents().schema, m_file.name()); }

void KeysWriter::check(const BatchKeys& keys) const {
  const auto failFor = [&](const BatchKeys::Misfit& misfit, std::uint64_t firstEntry) {
    failNotOne(m_file.name() + ":" + contents().name, misfit.key, firstEntry + misfit.entry,
               misfit.rows);
  };
  const std::uint64_t entries = contents().entries;
  if (keys.misfit)
    failFor(*keys.misfit, entries);
  // Entries before a collection existed had none of its values.
  for (std::size_t key = 0; key < places().size(); ++key) {
    if (!contents().schema.table(places()[key].table).isCounted())
      continue;
    if (key >= keys.ranks.size() || keys.ranks[key].empty())
      failFor({places()[key].name, 0, 0}, entries);
    if (key >= m_keys.sortedCount() && entries > 0)
      failFor({places()[key].name, 0, 0}, 0);
  }
}

void KeysWriter::add(const BatchKeys& keys, std::uint32_t entries) {
  if (m_keys.empty())
    return;
  if (m_keys.sortedCount() != places().size()) {
    writeAll();
    m_keys.renewSorter();
  }
  const std::uint64_t firstEntry = contents().entries - entries;
  KeySorter& sorter = m_keys.sorter();
  KeyColumns first;
  for (std::size_t row = 0; row < entries; row += keyClusterRows) {
    const std::size_t count = std::min<std::size_t>(keyClusterRows, entries - row);
    sorter.add(m_keys.pieceOf(keys, contents().schema, row, count, firstEntry));
    if (sorter.canTakeFirst(keyClusterRows)) {
      sorter.takeFirst(keyClusterRows, first);
      write(first);
    }
  }
}

void KeysWriter::finish() {
  mergeWithKnown();
  writeAll();
}

/// Returns the category of sorted keys, with tables for all keys of the sorter.
std::uint32_t KeysWriter::sortedCategory() {
  if (!m_sorted)
    m_sorted = m_file.addCategory(sortedKeysOf(contents().name));
  const auto sorted = std::span(places()).first(m_keys.sortedCount());
  const std::size_t known = keysIn(m_file.category(*m_sorted).schema).size();
  if (known < sorted.size())
    m_file.addKeyTables(*m_sorted, contents().schema, sorted.subspan(known));
  return *m_sorted;
}

/// Writes rows in order as a cluster.
void KeysWriter::write(const KeyColumns& rows) {
  const std::uint32_t category = sortedCategory();
  const Schema& schema = m_file.category(category).schema;
  const KeyBatch keys(schema, rows);
  m_pages.setBuffers(m_memory.take());
  m_pages.encode(keys.batch());
  std::map<std::uint32_t, Bounds> bounds;
  for (TableNumber table = 0; table < schema.size(); ++table)
    bounds[table] = m_pages.bounds(schema, schema.place(table, 0).column).bounds;
  PageBuffers encoded = m_pages.takeBuffers();
  m_file.writeCluster(category, static_cast<std::uint32_t>(rows.front().size()), encoded.bytes(),
                      bounds);
  m_memory.keep(std::move(encoded));
}

void KeysWriter::writeAll() {
  if (!m_keys.empty())
    m_keys.sorter().takeAll(keyClusterRows, [&](const KeyColumns& rows) { write(rows); });
}

/// Returns the first sorted row of the file to merge with the waiting keys. The last clusters are
/// merged if they do not have many more rows than are waiting.
std::uint64_t KeysWriter::firstToMerge() const {
  constexpr std::uint64_t many = 2;
  const CategoryContents& sorted = m_file.category(*m_sorted);
  const auto& clusters = sorted.clusters;
  std::uint64_t first = sorted.entries;
  for (std::size_t number = clusters.size(); number > 0;) {
    // The first cluster of rows sorted together; all but the last are full.
    std::size_t begin = number - 1;
    while (begin > 0 && clusters[begin - 1].entries == keyClusterRows)
      --begin;
    const std::uint64_t rows = first - clusters[begin].firstEntry;
    if (rows > many * (m_keys.sorter().rows() + sorted.entries - first))
      break;
    first = clusters[begin].firstEntry;
    number = begin;
  }
  return first;
}

/// Merges the waiting keys with sorted ones, so that frequent appending does not leave many small
/// pieces to search.
void KeysWriter::mergeWithKnown() {
  if (!m_sorted || m_keys.empty() || m_keys.sorter().rows() == 0)
    return;
  const CategoryContents& sorted = m_file.category(*m_sorted);
  if (sorted.clusters.empty() || sorted.clusters.back().position >= m_file.sink().start())
    return;
  const std::uint64_t first = firstToMerge();
  if (first == sorted.entries)
    return;
  const std::uint32_t category = sortedCategory(); // The old rows lack further keys.
  KeySorter all = m_keys.anotherSorter();
  if (!unlessDamaged([&] {
        const CategorySource source(*m_bytes, m_file.contents().file, m_file.category(category),
                                    {});
        readSortedKeys(source, first, all);
      }))
    return;
  m_keys.sorter().takeAll(keyClusterRows, [&](const KeyColumns& rows) { all.add(rows); });
  m_file.dropClusters(category, first);
  m_keys.sorter() = std::move(all);
}

} // namespace kaon::kaonfile
