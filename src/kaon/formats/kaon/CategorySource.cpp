#include <kaon/formats/kaon/CategorySource.h>

#include <kaon/codec/Codec.h>
#include <kaon/codec/Encoding.h>
#include <kaon/formats/kaon/CategoryCursor.h>
#include <kaon/formats/kaon/Record.h>

#include <algorithm>
#include <map>
#include <utility>

namespace kaon::store {
namespace {

Extremes extremesOf(const PageBounds& found) {
  return {found.bounds.least, found.bounds.greatest, has(found.flags, PageFlags::unbounded),
          has(found.flags, PageFlags::hasNaN)};
}

} // namespace

std::unique_ptr<Cursor> CategorySource::cursor() const {
  return std::make_unique<CategoryCursor>(m_category);
}

std::vector<EntryRange> CategorySource::clusters() const {
  std::vector<EntryRange> ranges;
  ranges.reserve(m_category.contents().clusters.size());
  for (const IndexCluster& cluster : m_category.contents().clusters)
    ranges.push_back({cluster.firstEntry, cluster.firstEntry + cluster.entries});
  return ranges;
}

std::optional<Extremes> CategorySource::extremes(std::uint32_t column,
                                                 const PageRange& range) const {
  const Cluster& holder = m_category.cluster(static_cast<std::size_t>(range.cluster));
  const ClusterGroup* const group = holder.group(m_category.groupOf(column));
  if (!group)
    return std::nullopt;
  const auto bounds = holder.bounds(*group, column);
  const auto pages = holder.pages(*group, column);
  if (range.page >= bounds.size() || range.page >= pages.size())
    return std::nullopt;
  return extremesOf({bounds[range.page], pages[range.page].flags});
}

std::optional<Extremes> CategorySource::clusterExtremes(std::uint32_t column,
                                                        std::size_t number) const {
  const Column& info = schema().columns()[column];
  if (!m_category.contents().keyBounds.empty() &&
      has(schema().table(info.table).use, TableUse::key)) {
    const auto keys = m_category.contents().keyTables();
    const auto key = static_cast<std::size_t>(std::ranges::find(keys, info.table) - keys.begin());
    return extremesOf(
        {m_category.contents().keyBounds[number * keys.size() + key], PageFlags::none});
  }
  const Cluster& holder = m_category.cluster(number);
  const ClusterGroup* const group = holder.group(m_category.groupOf(column));
  if (!group || !hasBounds(info))
    return std::nullopt;
  const auto bounds = holder.bounds(*group, column);
  const auto pages = holder.pages(*group, column);
  if (bounds.empty() || pages.empty())
    return std::nullopt;
  PageBounds all;
  for (std::size_t page = 0; page < bounds.size(); ++page)
    all.add({bounds[page], pages[page].flags},
            schema().table(info.table).members[info.member].type);
  return extremesOf(all);
}

std::optional<ColumnUsage> CategorySource::usage(std::uint32_t column) const {
  ColumnUsage usage;
  std::map<std::pair<Encoding, Codec>, std::uint64_t> bytesBy;
  for (std::size_t number = 0; number < m_category.holders(); ++number) {
    const Cluster& holder = m_category.cluster(number);
    const ClusterGroup* const group = holder.group(m_category.groupOf(column));
    if (!group)
      continue;
    for (const PageEntry& page : holder.pages(*group, column)) {
      usage.values += number < m_category.contents().clusters.size() ? page.values : 0;
      usage.storedBytes += page.size;
      bytesBy[{page.encoding, static_cast<Codec>(page.codec)}] += page.size;
    }
  }
  usage.decodedBytes = usage.values * schema().columns()[column].elementSize;
  for (const auto& [form, bytes] : bytesBy)
    usage.forms.push_back({form.first, form.second, bytes});
  std::ranges::sort(usage.forms, std::ranges::greater{}, &StoredForm::bytes);
  return usage;
}

void CategorySource::addOverheads(std::vector<Overhead>& overheads) const {
  std::uint64_t pages = 0, meta = 0, all = 0;
  for (const auto* clusters : {&m_category.contents().clusters, &m_category.contents().tags})
    for (const IndexCluster& cluster : *clusters)
      if (const auto header = recordAt(m_category.bytes(), m_category.fileId(), cluster.position)) {
        all += extentOf(m_category.bytes(), *header, cluster.position);
        meta += sizeof *header + header->metaSize;
      }
  for (std::uint32_t column = 0; column < schema().columns().size(); ++column)
    pages += usage(column)->storedBytes;
  overheads.push_back({m_category.contents().name, "meta", meta});
  overheads.push_back({m_category.contents().name, "padding", all - std::min(all, meta + pages)});
}

} // namespace kaon::store
