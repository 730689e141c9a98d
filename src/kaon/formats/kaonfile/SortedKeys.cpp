#include <kaon/formats/kaonfile/SortedKeys.h>

#include <kaon/batch/Source.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace kaon::kaonfile {
namespace {

void addTable(Schema& sorted, std::string_view name, Scalar type, std::uint64_t missing) {
  sorted.add({.name = std::string(name),
              .kind = TableKind::value,
              .layout = Layout::member, // A row is read at once.
              .type = std::string(nameOf(type)),
              .rowSize = sizeOf(type),
              .members = {{.name = "", .type = type, .missing = missing}},
              .use = TableUse::key});
}

} // namespace

std::vector<KeyLocator> keysIn(const Schema& sorted) {
  std::vector<KeyLocator> keys;
  bool hasEntry = false;
  for (const Table& table : sorted.tables()) {
    const auto key = findKey(sorted, table.name);
    if (!key || table.kind != TableKind::value || !has(table.use, TableUse::key))
      return {};
    if (table.name != detail::entryOfKeys)
      keys.push_back(*key);
    else if (key->type == Scalar::UInt64)
      hasEntry = true;
    else
      return {};
  }
  return hasEntry ? keys : std::vector<KeyLocator>();
}

void addKeys(Schema& sorted, const Schema& category, std::span<const KeyLocator> keys) {
  for (const KeyLocator& key : keys)
    addTable(sorted, key.name, key.type, category.table(key.table).members[key.member].missing);
  if (sorted.find(detail::entryOfKeys) == Table::none)
    addTable(sorted, detail::entryOfKeys, Scalar::UInt64, 0);
}

bool isWhole(const CategoryContents& sorted, const CategoryContents& category) {
  return sorted.entries == category.entries && !keysIn(sorted.schema).empty() &&
         std::ranges::none_of(sorted.clusters, [](const IndexCluster& cluster) {
           return cluster.position == 0; // a lost cluster
         });
}

void dropClusters(CategoryContents& category, std::uint64_t firstEntry) {
  const auto first =
      std::ranges::lower_bound(category.clusters, firstEntry, {}, &IndexCluster::firstEntry);
  if (first == category.clusters.end() || first->firstEntry != firstEntry)
    return;
  const auto left = static_cast<std::size_t>(first - category.clusters.begin());
  category.entries = firstEntry;
  category.clusters.resize(left);
  category.keyBounds.resize(
      std::min(category.keyBounds.size(), left * category.keyTables().size()));
}

} // namespace kaon::kaonfile
