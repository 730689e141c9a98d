#include <kaon/reading/ColumnReader.h>

#include <kaon/base/SortUnique.h>
#include <kaon/base/Tasks.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/model/MemberTree.h>
#include <kaon/reading/NamedMembers.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

namespace kaon {
namespace {

std::vector<std::uint32_t> tablesNamed(const Source& source,
                                       const std::vector<std::string>& names) {
  const Schema& schema = source.schema();
  std::vector<std::uint32_t> tables;
  for (const std::string& name : names) {
    if (const TableNumber table = schema.find(name); table != Table::none)
      tables.push_back(table); // it may have no members
    for (const auto& [table, member] : detail::membersBelow(source, name))
      tables.push_back(table);
  }
  return tables;
}

} // namespace

/// Reads each page of counts or presence once, and keeps it.
class ColumnReader::CountKeeper final : public detail::Cursor {
public:
  CountKeeper(const Source& source, CountPages& kept)
      : m_schema(source.schema()), m_cursor(source.cursor()), m_kept(kept) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    m_cursor->fetch(columns, entries);
  }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override {
    return m_cursor->pages(group, entry);
  }
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override {
    const ColumnRole role = m_schema.columns()[column].role;
    if (role != ColumnRole::presence && role != ColumnRole::counts)
      return m_cursor->read(column, range, values, page);
    const std::pair key(column, range.firstEntry);
    auto kept = m_kept.find(key);
    if (kept == m_kept.end()) {
      detail::Page counts;
      m_cursor->read(column, range, values, counts);
      if (counts.shared) { // it shares memory with other pages
        const std::size_t bytes =
            role == ColumnRole::counts ? (values + 1) * sizeof(std::uint32_t) : values;
        std::ranges::copy(std::span(counts.data, bytes), counts.storage.assign(bytes).begin());
        counts.data = counts.storage.data();
        counts.shared.reset();
      }
      kept = m_kept.emplace(key, std::move(counts)).first;
    }
    page.shared.reset();
    page.values = kept->second.values;
    page.data = kept->second.data;
  }

private:
  const Schema& m_schema;
  std::unique_ptr<detail::Cursor> m_cursor;
  CountPages& m_kept;
};

/// Reads the pages of one part of the entries.
class ColumnReader::PartReader {
public:
  PartReader(const ColumnReader& reader, std::size_t part,
             const std::vector<std::uint32_t>& columns)
      : m_reader(reader), m_part(part),
        m_window(*reader.m_source,
                 std::make_unique<CountKeeper>(*reader.m_source, *reader.m_counts[part])),
        m_entries{reader.m_borders[part], reader.m_borders[part + 1]},
        m_pageRows(reader.m_targets.size()) {
    m_window.fetch(columns, m_entries);
  }

  /// Returns the number of rows of each target.
  [[nodiscard]] std::vector<std::size_t> count();
  void read();

private:
  /// Calls `use` with the entries of each cluster in this part. All columns of a cluster are read
  /// before the next one, in the order in which they are fetched.
  template <class Use>
  void forEachCluster(Use use) {
    if (m_entries.size() == 0)
      return; // there may be no cluster
    auto cluster = m_reader.clusterOf(m_entries.first);
    for (std::uint64_t first = m_entries.first; first < m_entries.last; ++cluster) {
      const std::uint64_t last = std::min(cluster->last, m_entries.last);
      use(EntryRange{first, last});
      first = last;
    }
  }
  /// Calls `use` with the part of these entries in each page of a group.
  template <class Use>
  void forEachPage(const std::vector<std::size_t>& group, EntryRange entries, Use use) {
    const TableNumber table = target(group.front()).table;
    for (std::uint64_t first = entries.first; first < entries.last;) {
      const std::uint64_t last = std::min(m_window.pages(table, first).lastEntry, entries.last);
      use(EntryRange{first, last});
      first = last;
    }
  }
  [[nodiscard]] const Target& target(std::size_t i) const { return m_reader.m_targets[i]; }
  [[nodiscard]] detail::RowRange rowsOf(std::size_t i, EntryRange entries) {
    return {m_window.rows(target(i).table, entries.first).first,
            m_window.rows(target(i).table, entries.last - 1).second};
  }
  void countGroup(const std::vector<std::size_t>& group, EntryRange cluster,
                  std::vector<std::size_t>& rows);
  [[nodiscard]] bool isSingle(std::size_t i) const;
  void readPages(const std::vector<std::size_t>& group, EntryRange entries);
  void readPage(std::size_t i, EntryRange entries);
  void readOffsets(std::size_t i, EntryRange entries);
  void readMembers(std::size_t i, EntryRange entries);

  const ColumnReader& m_reader;
  std::size_t m_part;
  detail::Window m_window;
  EntryRange m_entries;
  std::vector<std::size_t> m_nextRow;          // next row of each target in the caller's memory
  std::vector<detail::RowRange> m_pageRows;    // rows of each target in the current page
  std::vector<detail::StridedCopy> m_fromRows; // kept for its memory
};

std::vector<std::size_t> ColumnReader::PartReader::count() {
  std::vector<std::size_t> rows(m_reader.m_targets.size());
  const auto isCounted = [&](std::size_t i) {
    return m_reader.schema().table(target(i).table).isCounted();
  };
  forEachCluster([&](EntryRange cluster) {
    for (const auto& group : m_reader.m_groups)
      if (std::ranges::any_of(group, isCounted))
        countGroup(group, cluster, rows);
      else // each entry has one row in each table
        for (const std::size_t i : group)
          rows[i] += cluster.size();
  });
  return rows;
}

/// Counts the rows of a group in entries of one cluster.
void ColumnReader::PartReader::countGroup(const std::vector<std::size_t>& group, EntryRange cluster,
                                          std::vector<std::size_t>& rows) {
  const detail::PageRange& pages = m_window.pages(target(group.front()).table, cluster.first);
  if (pages.lastMissing >= cluster.last) { // a few bytes may state this for any number of entries
    for (const std::size_t i : group)
      rows[i] += isSingle(i) ? cluster.size() : 0;
    return;
  }
  forEachPage(group, cluster, [&](EntryRange entries) {
    for (const std::size_t i : group)
      rows[i] += rowsOf(i, entries).size();
  });
}

/// Returns whether each entry has exactly one row of a target.
bool ColumnReader::PartReader::isSingle(std::size_t i) const {
  const Table table = m_reader.schema().table(target(i).table);
  return !table.isCounted() && (table.isRoot() || isSingle(target(i).parent));
}

void ColumnReader::PartReader::read() {
  m_nextRow = m_reader.m_rows[m_part];
  const auto isWanted = [&](std::size_t i) { return target(i).isWanted(); };
  forEachCluster([&](EntryRange cluster) {
    for (const auto& group : m_reader.m_groups)
      if (std::ranges::any_of(group, isWanted))
        forEachPage(group, cluster, [&](EntryRange entries) { readPages(group, entries); });
  });
}

/// Reads the requested columns of a group, for entries of one page.
void ColumnReader::PartReader::readPages(const std::vector<std::size_t>& group,
                                         EntryRange entries) {
  for (const std::size_t i : group)
    m_pageRows[i] = rowsOf(i, entries);
  for (const std::size_t i : group)
    readPage(i, entries);
  for (const std::size_t i : group)
    m_nextRow[i] += m_pageRows[i].size();
}

void ColumnReader::PartReader::readPage(std::size_t i, EntryRange entries) {
  if (bool* const present = target(i).present) {
    const detail::Page& page =
        m_window.page(m_reader.schema().presenceColumn(target(i).table), entries.first);
    std::memcpy(present + (entries.first - m_reader.m_range.first),
                page.data + (entries.first - page.range.firstEntry), entries.size());
  }
  if (target(i).offsets)
    readOffsets(i, entries);
  if (m_pageRows[i].size() > 0)
    readMembers(i, entries);
}

void ColumnReader::PartReader::readOffsets(std::size_t i, EntryRange entries) {
  const Table table = m_reader.schema().table(target(i).table);
  const std::uint64_t firstOfPage = m_window.pages(target(i).table, entries.first).firstEntry;
  const detail::RowRange parents =
      table.isRoot() ? detail::RowRange{entries.first - firstOfPage, entries.last - firstOfPage}
                     : m_pageRows[target(i).parent];
  const auto inPage =
      m_window.offsets(target(i).table, entries.first).subspan(parents.first, parents.size() + 1);
  std::int64_t* const out =
      target(i).offsets +
      (table.isRoot() ? entries.first - m_reader.m_range.first : m_nextRow[target(i).parent]);
  const std::int64_t shift = static_cast<std::int64_t>(m_nextRow[i]) - inPage[0];
  // The first offset equals the last one of the page before.
  for (std::size_t row = 1; row < inPage.size(); ++row)
    out[row] = shift + inPage[row];
}

void ColumnReader::PartReader::readMembers(std::size_t i, EntryRange entries) {
  const TableNumber table = target(i).table;
  const detail::RowRange rows = m_pageRows[i];
  const detail::PageRange& page = m_window.pages(table, entries.first);
  const bool isWhole = entries.first == page.firstEntry && entries.last == page.lastEntry;
  m_fromRows.clear();
  for (const Values& values : target(i).members) {
    const std::size_t size = values.size;
    const std::span out(values.out + m_nextRow[i] * size, rows.size() * size);
    const ColumnView inPage = m_window.member(table, values.member, entries.first,
                                              isWhole ? out : std::span<std::byte>{});
    if (inPage.base == out.data())
      continue;
    if (inPage.stride == size)
      std::memcpy(out.data(), inPage.at(rows.first), out.size());
    else
      m_fromRows.push_back({out.data(), size, inPage.at(rows.first), inPage.stride, size});
  }
  detail::copyTogether(m_fromRows, rows.size());
}

ColumnReader::ColumnReader(const Source& source, const std::vector<std::string>& names,
                           EntryRange range, std::shared_ptr<const File> file)
    : ColumnReader(source, tablesNamed(source, names), range, std::move(file)) {}

ColumnReader::ColumnReader(const Source& source, std::span<const std::uint32_t> wanted,
                           EntryRange range, std::shared_ptr<const File> file)
    : m_source(&source), m_file(std::move(file)) {
  std::vector<std::uint32_t> tables(wanted.begin(), wanted.end());
  m_range.last = std::min(range.last, source.entries());
  m_range.first = std::min(range.first, m_range.last);
  for (std::size_t i = 0; i < tables.size(); ++i) { // includes tables that this adds
    if (tables[i] >= schema().size())
      fail(ErrorKind::usage, source.name(), ": has no table number ", tables[i]);
    if (const Table table = schema().table(tables[i]); !table.isRoot())
      tables.push_back(table.parent);
  }
  sortUnique(tables);
  std::map<std::uint32_t, std::vector<std::size_t>> groups;
  for (const std::uint32_t number : tables) {
    const Table table = schema().table(number);
    groups[schema().groupOf(number)].push_back(m_targets.size());
    const std::size_t parent = table.isRoot() ? 0 : indexOf(table.parent);
    m_targets.push_back({number, parent});
  }
  for (auto& [group, targets] : groups)
    m_groups.push_back(std::move(targets));
  m_clusters = m_source->clusters();
  m_borders = borders();
  countRows();
}

/// Cuts the range into several parts for each thread. A thread that finishes early takes the next
/// part. Parts begin at clusters, or at pages if there are few clusters.
std::vector<std::uint64_t> ColumnReader::borders() const {
  std::vector<std::uint64_t> borders{m_range.first};
  const std::size_t parts = threads() == 1 || m_groups.empty() ? 1 : 8 * threads();
  const std::unique_ptr<detail::Cursor> cursor = parts > 1 ? m_source->cursor() : nullptr;
  if (cursor)
    cursor->fetch({}, m_range); // fetches the borders of all pages together
  for (std::size_t part = 1; part < parts; ++part) {
    // In this order the product cannot overflow; the remainder does not matter.
    const std::uint64_t size = m_range.size() / parts;
    const std::uint64_t entry = m_range.first + size * part;
    if (entry <= borders.back() || entry >= m_range.last)
      continue;
    const auto cluster = clusterOf(entry);
    const std::uint64_t border =
        cluster->size() < size ? cluster->first : separatePage(*cursor, *cluster, entry);
    if (border > borders.back())
      borders.push_back(border);
  }
  borders.push_back(m_range.last);
  return borders;
}

/// Returns the first entry of the page with `entry`, for the group with most tables. Returns the
/// cluster's first entry if its pages cannot be decompressed one by one.
std::uint64_t ColumnReader::separatePage(detail::Cursor& cursor, EntryRange cluster,
                                         std::uint64_t entry) const {
  const auto& largest =
      *std::ranges::max_element(m_groups, {}, [](const auto& group) { return group.size(); });
  const TableNumber table = m_targets[largest.front()].table;
  const detail::PageRange page = cursor.pages(schema().groupOf(table), entry);
  return page.sharesBytes ? cluster.first : page.firstEntry;
}

std::vector<EntryRange>::const_iterator ColumnReader::clusterOf(std::uint64_t entry) const {
  return std::ranges::upper_bound(m_clusters, entry, {}, &EntryRange::first) - 1;
}

/// Begins to fetch columns of all parts together, if the source gains from it.
std::shared_ptr<const void> ColumnReader::hold(const std::vector<std::uint32_t>& columns) const {
  const std::unique_ptr<detail::Cursor> cursor = m_source->cursor();
  cursor->fetch(columns, m_range);
  return cursor->hold();
}

void ColumnReader::countRows() {
  const std::size_t parts = m_borders.size() - 1;
  const std::vector<std::uint32_t> columns = columnsToCount();
  const auto held = hold(columns);
  m_rows.assign(parts + 1, std::vector<std::size_t>(m_targets.size()));
  for (std::size_t part = 0; part < parts; ++part)
    m_counts.push_back(std::make_shared<CountPages>());
  forEach(parts,
          [&](std::size_t part) { m_rows[part + 1] = PartReader(*this, part, columns).count(); });
  constexpr std::size_t most = std::numeric_limits<std::int64_t>::max();
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
      if (m_rows[part + 1][i] > most - m_rows[part][i])
        fail(ErrorKind::corrupt, m_source->name(), ": '", schema().table(m_targets[i].table).name,
             "' has more rows than can be counted; the file is damaged");
      m_rows[part + 1][i] += m_rows[part][i];
    }
}

std::vector<std::uint32_t> ColumnReader::columnsToCount() const {
  std::vector<std::uint32_t> columns;
  for (const Target& target : m_targets) {
    const Table table = schema().table(target.table);
    if (table.canBeAbsent()) // it is checked together with its counts
      columns.push_back(schema().presenceColumn(target.table));
    if (table.isCounted())
      columns.push_back(schema().countsColumn(target.table));
  }
  return columns;
}

std::vector<std::uint32_t> ColumnReader::columnsToRead() const {
  std::vector<std::uint32_t> columns; // counts were read already
  for (const Target& target : m_targets)
    for (const Values& values : target.members)
      columns.push_back(schema().place(target.table, values.member).column);
  sortUnique(columns); // members of a row share its column
  return columns;
}

std::size_t ColumnReader::indexOf(TableNumber table) const {
  const auto target = std::ranges::lower_bound(m_targets, table, {}, &Target::table);
  if (target == m_targets.end() || target->table != table)
    fail(ErrorKind::usage, m_source->name(), ": ",
         table < schema().size() ? "the table '" : "there is no table number ",
         table < schema().size() ? std::string(schema().table(table).name) + "' was not asked for"
                                 : std::to_string(table));
  return static_cast<std::size_t>(target - m_targets.begin());
}

std::size_t ColumnReader::rows(TableNumber table) const { return m_rows.back()[indexOf(table)]; }

std::size_t ColumnReader::rowsAbove(TableNumber table) const {
  const Target& target = m_targets[indexOf(table)];
  return schema().table(table).isRoot() ? static_cast<std::size_t>(m_range.size())
                                        : m_rows.back()[target.parent];
}

void ColumnReader::checkSize(std::size_t size, std::size_t expected, std::string_view what) const {
  if (size != expected)
    fail(ErrorKind::usage, m_source->name(), ": memory for ", size, " ", what, ", but there are ",
         expected);
}

void ColumnReader::setOffsets(TableNumber table, std::span<std::int64_t> offsets) {
  Target& target = m_targets[indexOf(table)];
  if (!schema().table(table).isCounted())
    fail(ErrorKind::usage, m_source->name(), ": '", schema().table(table).name,
         "' has one row for each entry or parent row, and therefore no offsets");
  checkSize(offsets.size(), rowsAbove(table) + 1, "offsets");
  target.offsets = offsets.data();
}

void ColumnReader::setPresence(TableNumber table, std::span<bool> present) {
  Target& target = m_targets[indexOf(table)];
  if (!schema().table(table).canBeAbsent())
    fail(ErrorKind::usage, m_source->name(), ": '", schema().table(table).name,
         "' cannot be absent");
  checkSize(present.size(), static_cast<std::size_t>(m_range.size()), "entries");
  target.present = present.data();
}

void ColumnReader::setValues(TableNumber table, MemberNumber member, std::span<std::byte> values) {
  Target& target = m_targets[indexOf(table)];
  const Table info = schema().table(table);
  if (member >= info.members.size())
    fail(ErrorKind::usage, "'", info.name, "' has no member number ", member);
  const std::uint32_t size = info.members[member].size();
  if (values.size() % size != 0)
    fail(ErrorKind::usage, m_source->name(), ": the memory for '",
         schema().nameOfMember(table, member), "' does not hold a whole number of values");
  checkSize(values.size() / size, rows(table), "rows");
  const auto known = std::ranges::find(target.members, member, &Values::member);
  if (known != target.members.end())
    known->out = values.data();
  else
    target.members.push_back({member, size, values.data()});
}

void ColumnReader::setValues(std::string_view name, Scalar type, std::span<std::byte> values) {
  const auto [table, member] = detail::valueNamed(*m_source, name);
  const Scalar stored = schema().table(table).members[member].type;
  if (stored != type)
    fail(ErrorKind::type, m_source->name(), ": '", name, "' holds ", nameOf(stored),
         " values, not ", nameOf(type));
  setValues(table, member, values);
  if (std::ranges::find(m_named, TableMember{table, member}) == m_named.end())
    m_named.push_back({table, member});
}

/// Throws unless values that may be missing are read together with their presence.
void ColumnReader::requirePresences() const {
  for (const TableMember value : m_named)
    for (const TableMember presence : presencesOf(schema(), value.table, value.member)) {
      const auto target = std::ranges::find(m_targets, presence.table, &Target::table);
      if (target == m_targets.end() || std::ranges::find(target->members, presence.member,
                                                         &Values::member) == target->members.end())
        fail(ErrorKind::usage, m_source->name(), ": '",
             schema().nameOfMember(value.table, value.member),
             "' may be missing; give memory for '",
             schema().nameOfMember(presence.table, presence.member),
             "', too, which tells where it is present");
    }
}

void ColumnReader::read() {
  requirePresences();
  for (const Target& target : m_targets)
    if (target.offsets)
      *target.offsets = 0;
  const std::vector<std::uint32_t> columns = columnsToRead();
  const auto held = hold(columns);
  forEach(m_borders.size() - 1, [&](std::size_t part) { PartReader(*this, part, columns).read(); });
}

} // namespace kaon
