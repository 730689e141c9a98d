#include <kaon/formats/root/ntuple/RowFinder.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/ntuple/Elements.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace kaon::root {
namespace {

constexpr std::uint64_t mostRows = std::numeric_limits<std::uint32_t>::max(); // in one range
constexpr std::uint64_t mostFixedRows = std::uint64_t{1} << 26; // which need no memory

/// Returns the product, limited to the largest number.
std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return b > 0 && a > most / b ? most : a * b;
}

/// Returns the names of a table, of the tables below it, and of all their members.
std::vector<std::string> namesBelow(const Schema& schema, std::uint32_t top) {
  std::vector<std::string> names;
  std::vector<bool> isBelow(schema.size());
  for (std::uint32_t number = top; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    isBelow[number] = number == top || (!table.isRoot() && isBelow[table.parent]);
    if (!isBelow[number])
      continue;
    names.emplace_back(table.name);
    for (std::uint32_t member = 0; member < table.members.size(); ++member)
      names.push_back(schema.nameOfMember(number, member));
  }
  return names;
}

} // namespace

ClusterRows RowFinder::rows(std::uint32_t table, const detail::PageRange& range) {
  Current& current = m_current[table];
  if (current.range.firstEntry == range.firstEntry && current.range.lastEntry == range.lastEntry &&
      range.lastEntry > 0)
    return current.rows;
  const ClusterRows above = rowsAbove(table, range);
  const bool follows = current.range.lastEntry == range.firstEntry && range.firstEntry > 0 &&
                       current.range.cluster == range.cluster;
  current.follows = follows;
  current.range = {}; // stays empty if this fails
  current.offsets.clear();
  switch (m_ntuple.mapping.rules[table].rows.kind) {
  case RowRule::Kind::one:
    current.rows = {above.first, above.last};
    break;
  case RowRule::Kind::ends:
    takeEnds(table, above, range, current);
    break;
  case RowRule::Kind::fixed:
    takeFixed(table, above, range, current);
    break;
  case RowRule::Kind::alternative:
    takeChoices(table, above, range, current);
    break;
  }
  const auto offsets = current.offsets.bytes();
  current.rows.offsets = {detail::valuesAt<std::uint32_t>(offsets.data()),
                          offsets.size() / sizeof(std::uint32_t)};
  current.range = range;
  return current.rows;
}

/// Returns the rows of the table above, or the entries.
ClusterRows RowFinder::rowsAbove(std::uint32_t table, const detail::PageRange& range) {
  const Table info = m_ntuple.mapping.schema.table(table);
  if (!info.isRoot())
    return rows(info.parent, range);
  const std::uint64_t begin = m_ntuple.clusters[range.cluster].firstEntry;
  return {range.firstEntry - begin, range.lastEntry - begin};
}

/// Returns the column with the number of rows for each row above.
ClusterColumn RowFinder::columnAbove(std::uint32_t table, const ClusterRows& above,
                                     const detail::PageRange& range) const {
  const Table info = m_ntuple.mapping.schema.table(table);
  const std::uint64_t perEntry =
      info.isRoot() ? 1 : m_ntuple.mapping.rules[info.parent].rowsPerEntry;
  return checkedColumn(table, m_ntuple.mapping.rules[table].rows.columns, perEntry, 1, above.last,
                       range);
}

ClusterColumn RowFinder::checkedColumn(std::uint32_t table, std::span<const std::uint32_t> columns,
                                       std::uint64_t rowsPerEntry, std::uint64_t perRow,
                                       std::uint64_t last, const detail::PageRange& range) const {
  const Cluster& cluster = m_ntuple.clusters[range.cluster];
  ClusterColumn clusterColumn{m_ntuple.representation(range.cluster, columns)};
  std::uint64_t elements = cluster.column(clusterColumn.column).elements;
  const bool isLate = m_ntuple.descriptor.columns[clusterColumn.column].isDeferred ||
                      clusterColumn.column >= cluster.columns.size();
  if (isLate && rowsPerEntry > 0) { // earlier entries lack it
    const std::uint64_t all = product(product(cluster.entries, rowsPerEntry), perRow);
    clusterColumn.missing = all - std::min(all, elements);
    elements += clusterColumn.missing;
  }
  const bool isEnd = range.lastEntry == cluster.firstEntry + cluster.entries;
  if (last > elements / perRow || (isEnd && elements != last * perRow))
    failDamaged(table, range,
                "column " + std::to_string(clusterColumn.column) + " has " +
                    std::to_string(elements) + " values, but there are " + std::to_string(last) +
                    " rows with " + std::to_string(perRow) + " each");
  return clusterColumn;
}

/// Adds the first offset, and the offsets of rows above that have no stored elements.
void RowFinder::beginOffsets(const ClusterRows& above, std::uint64_t first, Current& current) {
  const std::uint64_t missing = std::min(first, above.last) - above.first;
  std::ranges::fill(current.grow(1 + static_cast<std::size_t>(missing)), 0U);
}

/// Reads the offsets from a column of ends, which count from the beginning of the cluster.
void RowFinder::takeEnds(std::uint32_t table, const ClusterRows& above,
                         const detail::PageRange& range, Current& current) {
  const ClusterColumn from = columnAbove(table, above, range);
  const std::uint64_t first = std::max(above.first, from.missing);
  std::uint64_t begin = current.rows.last; // where the rows of the range begin
  if (!current.follows)
    begin = above.first > from.missing ? endAt(from, above.first - 1, range.cluster) : 0;
  beginOffsets(above, first, current);
  std::uint64_t end = begin;
  // All differences combined by OR; the highest bit is set if an end decreases.
  std::uint64_t steps = 0;
  m_pages.forEach(range.cluster, from.column, first - from.missing,
                  std::max(above.last, first) - from.missing,
                  [&](const LoadedNTuplePage& page, std::size_t at, std::size_t count) {
                    const auto ends = page.ends.subspan(at, count);
                    const auto offsets = current.grow(count);
                    steps |= ends[0] - end;
                    for (std::size_t i = 1; i < count; ++i)
                      steps |= ends[i] - ends[i - 1];
                    for (std::size_t i = 0; i < count; ++i)
                      offsets[i] = static_cast<std::uint32_t>(ends[i] - begin);
                    end = ends[count - 1];
                  });
  if (steps >> 63 != 0)
    failDamaged(table, range, "lists end before they begin");
  if (end - begin > mostRows)
    failDamaged(table, range, "there are " + std::to_string(end - begin) + " rows at once");
  current.rows = {begin, end};
}

std::uint64_t RowFinder::endAt(const ClusterColumn& column, std::uint64_t element,
                               std::size_t cluster) {
  const std::uint64_t stored = element - column.missing;
  const LoadedNTuplePage& page = m_pages.at(cluster, column.column, stored);
  return page.ends[static_cast<std::size_t>(stored - page.firstElement)];
}

void RowFinder::takeFixed(std::uint32_t table, const ClusterRows& above,
                          const detail::PageRange& range, Current& current) const {
  const std::uint64_t number = m_ntuple.mapping.rules[table].rows.number;
  if (above.last > mostRows * mostRows / number || above.size() > mostFixedRows / number)
    failDamaged(table, range, "there are too many rows at once");
  const auto offsets = current.grow(static_cast<std::size_t>(above.size()) + 1);
  for (std::size_t i = 0; i < offsets.size(); ++i)
    offsets[i] = static_cast<std::uint32_t>(i * number);
  current.rows = {above.first * number, above.last * number};
}

/// Reads the offsets from a column of choices. Each choice has an alternative and the number of its
/// value among the values of that alternative in the cluster. These numbers must count up.
void RowFinder::takeChoices(std::uint32_t table, const ClusterRows& above,
                            const detail::PageRange& range, Current& current) {
  const std::uint64_t tag = m_ntuple.mapping.rules[table].rows.number;
  const ClusterColumn from = columnAbove(table, above, range);
  std::uint64_t begin = current.rows.last;
  if (!current.follows)
    begin = choicesBefore(from, tag, above.first, range.cluster);
  const std::uint64_t first = std::max(above.first, from.missing);
  beginOffsets(above, first, current);
  std::uint64_t end = begin;
  bool isInOrder = true;
  m_pages.forEach(range.cluster, from.column, first - from.missing,
                  std::max(above.last, first) - from.missing,
                  [&](const LoadedNTuplePage& page, std::size_t at, std::size_t count) {
                    const auto offsets = current.grow(count);
                    for (std::size_t i = 0; i < count; ++i) {
                      const Choice choice = choiceAt(page.elements, at + i);
                      if (choice.tag == tag)
                        isInOrder &= choice.index == end++;
                      offsets[i] = static_cast<std::uint32_t>(end - begin);
                    }
                  });
  if (!isInOrder)
    throw UnreadableColumns(where(table, range) +
                                "kaon does not read alternatives whose values have another order "
                                "than the entries",
                            m_ntuple.name, namesBelow(m_ntuple.mapping.schema, table));
  current.rows = {begin, end};
}

/// Returns how many elements before this one chose an alternative. Searches backwards for the last
/// of them.
std::uint64_t RowFinder::choicesBefore(const ClusterColumn& column, std::uint64_t tag,
                                       std::uint64_t element, std::size_t cluster) {
  for (; element > column.missing; --element) {
    const std::uint64_t at = element - 1 - column.missing;
    const LoadedNTuplePage& page = m_pages.at(cluster, column.column, at);
    const Choice choice = choiceAt(page.elements, static_cast<std::size_t>(at - page.firstElement));
    if (choice.tag == tag)
      // A wrong index breaks the order, which is reported when the element is read.
      return choice.index < at + 1 ? choice.index + 1 : 0;
  }
  return 0;
}

std::string RowFinder::where(std::uint32_t table, const detail::PageRange& range) const {
  return joined(m_ntuple.name, ": '", m_ntuple.mapping.schema.table(table).name, "' in entries ",
                std::to_string(range.firstEntry), " to ", std::to_string(range.lastEntry), ": ");
}

void RowFinder::failDamaged(std::uint32_t table, const detail::PageRange& range,
                            std::string_view what) const {
  fail(ErrorKind::corrupt, where(table, range), what, "; the file is damaged");
}

} // namespace kaon::root
