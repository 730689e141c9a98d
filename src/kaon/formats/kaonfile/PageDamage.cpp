#include <kaon/formats/kaonfile/PageDamage.h>

#include <kaon/base/Damage.h>
#include <kaon/base/Tasks.h>
#include <kaon/formats/kaonfile/ClusterMeta.h>
#include <kaon/formats/kaonfile/ColumnPages.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Returns the number of values of a column that a page holds; 0 for counts and presence.
std::uint64_t valuesIn(const Schema& schema, ColumnNumber column, const PageEntry& page) {
  const auto [first, last] = membersIn(schema, schema.columns()[column]);
  return std::uint64_t{page.values} * (last - first);
}

class ClusterDamage {
public:
  ClusterDamage(const io::ByteSource& bytes, FileIdentity file, const CategoryContents& category,
                const IndexCluster& index, RecordKind kind)
      : m_bytes(bytes), m_schema(category.schema), m_meta(bytes, file, category), m_index(index),
        m_kind(kind), m_all{index.firstEntry, index.firstEntry + index.entries} {
    m_found.values.resize(m_schema.size());
  }

  PageDamage run() {
    std::vector<std::uint32_t> columns;
    if (!unlessDamaged([&] {
          m_meta.open(m_index, m_kind);
          columns = m_meta.columns();
        })) {
      m_found.ranges.push_back({m_all, {}, m_index.metaSize + m_index.pagesSize});
      return std::move(m_found);
    }
    for (const ColumnNumber column : columns)
      if (!unlessDamaged([&] { check(column); }))
        m_found.ranges.push_back({m_all, column, 0});
    return std::move(m_found);
  }

private:
  void check(ColumnNumber column) {
    const auto ends = m_meta.ends(m_schema.groupOf(m_schema.columns()[column].table));
    const ColumnPages& stored = *m_meta.column(column);
    if (stored.pages.size() != ends.size())
      m_meta.failDamaged("it lacks pages");
    Buffer scratch;
    std::uint64_t first = m_all.first;
    for (std::size_t number = 0; number < ends.size(); ++number) {
      const PageEntry& page = stored.pages[number];
      const std::uint64_t last = m_all.first + ends[number];
      m_found.values[m_schema.rootOf(m_schema.columns()[column].table)] +=
          valuesIn(m_schema, column, page);
      if (!page.isShort &&
          pageChecksum(m_bytes.view(m_meta.position(page), page.size, scratch)) != page.checksum)
        m_found.ranges.push_back({{first, last}, column, page.size});
      first = last;
    }
  }

  const io::ByteSource& m_bytes;
  const Schema& m_schema;
  ClusterMeta m_meta;
  const IndexCluster& m_index;
  RecordKind m_kind;
  EntryRange m_all;
  PageDamage m_found;
};

} // namespace

PageDamage damageOf(const io::ByteSource& bytes, FileIdentity file,
                    const CategoryContents& category, const IndexCluster& index, RecordKind kind) {
  return ClusterDamage(bytes, file, category, index, kind).run();
}

PageDamage findDamage(const io::ByteSource& bytes, FileIdentity file, CategoryContents& category) {
  const std::size_t clusters = category.clusters.size();
  std::vector<PageDamage> found(clusters + category.tags.size());
  forEach(found.size(), [&](std::size_t i) {
    found[i] = i < clusters
                   ? damageOf(bytes, file, category, category.clusters[i], RecordKind::cluster)
                   : damageOf(bytes, file, category, category.tags[i - clusters], RecordKind::tags);
  });
  PageDamage all;
  all.values.resize(category.schema.size());
  for (std::size_t i = 0; i < clusters; ++i) {
    std::ranges::move(found[i].ranges, std::back_inserter(all.ranges));
    std::ranges::transform(all.values, found[i].values, all.values.begin(), std::plus());
  }
  std::vector<IndexCluster> tags;
  for (std::size_t i = clusters; i < found.size(); ++i)
    if (found[i].ranges.empty())
      tags.push_back(category.tags[i - clusters]);
  category.tags = std::move(tags);
  return all;
}

} // namespace kaon::kaonfile
