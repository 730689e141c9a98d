#include <kaon/reading/StoredPages.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/reading/NamedMembers.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace kaon {
namespace {

/// Returns the columns of these members, and of their counts and presence.
std::vector<std::uint32_t> columnsOf(const Source& source, const std::vector<std::string>& names) {
  const Schema& schema = source.schema();
  std::vector<std::uint32_t> columns;
  std::vector<std::uint32_t> tables;
  for (const std::string& name : names) {
    if (const TableNumber table = schema.find(name); table != Table::none)
      tables.push_back(table);
    for (const auto& [table, member] : detail::membersBelow(source, name)) {
      tables.push_back(table);
      columns.push_back(schema.place(table, member).column);
    }
  }
  for (TableNumber table : tables)
    for (; table != Table::none; table = schema.table(table).parent) {
      if (schema.table(table).canBeAbsent())
        columns.push_back(schema.presenceColumn(table));
      if (schema.table(table).isCounted())
        columns.push_back(schema.countsColumn(table));
    }
  sortUnique(columns);
  return columns;
}

} // namespace

StoredPages::StoredPages(const Source& source, const std::vector<std::string>& names,
                         const EntrySelection& entries, std::shared_ptr<const File> file)
    : m_file(std::move(file)), m_source(&source), m_cursor(source.cursor()),
      m_entries(entries.within({0, source.entries()})) {
  const std::vector<std::uint32_t> columns = columnsOf(source, names);
  for (const ColumnNumber column : columns)
    groupOf(column).columns.push_back(column);
  m_current = m_groups.size(); // none yet
  m_cursor->fetch(columns, m_entries);
}

StoredPages::Group& StoredPages::groupOf(ColumnNumber column) {
  const TableNumber number = schema().groupOf(schema().columns()[column].table);
  const auto known = std::ranges::find(m_groups, number, &Group::number);
  return known == m_groups.end() ? m_groups.emplace_back(Group{number}) : *known;
}

bool StoredPages::next() {
  if (!m_cursor)
    fail(ErrorKind::usage, "these pages were moved away");
  if (m_current == m_groups.size() || m_nextColumn == m_groups[m_current].columns.size()) {
    // Continues with the group that is furthest behind, to finish a cluster before the next one
    // begins.
    for (Group& group : m_groups)
      group.next = m_entries.runFrom(group.next).first;
    const auto group = std::ranges::min_element(m_groups, {}, &Group::next);
    if (group == m_groups.end() || group->next >= m_source->entries())
      return false;
    m_current = static_cast<std::size_t>(group - m_groups.begin());
    m_nextColumn = 0;
    m_range = m_cursor->pages(group->number, group->next);
    group->next = m_range.lastEntry;
  }
  const ColumnNumber column = m_groups[m_current].columns[m_nextColumn++];
  std::optional<StoredPage> page = m_cursor->stored(column, m_range);
  if (!page)
    fail(ErrorKind::usage, m_source->name(),
         ": the pages of this file can only be read decoded; only .kaon files give pages as they "
         "are stored");
  m_page = *std::move(page);
  return true;
}

} // namespace kaon
