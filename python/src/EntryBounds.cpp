#include "EntryBounds.h"

#include <kaon/base/Error.h>
#include <kaon/files/ListedEntries.h>

namespace kaon::python {
namespace {

BoundsOfEntries withEntries(EntryRange entries, const std::optional<Extremes>& extremes) {
  std::optional<BoundsOfValues> bounds;
  if (extremes)
    bounds.emplace(extremes->least, extremes->greatest, extremes->hasNone, extremes->hasNaN);
  return {entries.first, entries.last, bounds};
}

} // namespace

std::vector<BoundsOfEntries> boundsOf(const Category& category, std::uint32_t table,
                                      std::uint32_t member, bool byPage) {
  const Source& source = category.source();
  const Schema& schema = source.schema();
  if (table >= schema.size() || member >= schema.table(table).members.size())
    fail(ErrorKind::usage, source.name(), ": table number ", table, " has no member number ",
         member);
  std::vector<BoundsOfEntries> all;
  if (byPage) {
    const auto cursor = source.cursor();
    for (std::uint64_t entry = 0; entry < source.entries();) {
      const detail::PageRange range = cursor->pages(schema.groupOf(table), entry);
      all.push_back(
          withEntries({range.firstEntry, range.lastEntry}, cursor->extremes(table, member, range)));
      entry = range.lastEntry;
    }
  } else {
    const auto clusters = source.clusters();
    for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster)
      all.push_back(withEntries(clusters[cluster], source.extremes(table, member, cluster)));
  }
  return all;
}

} // namespace kaon::python
