#include <kaon/formats/kaonfile/ClusterCheck.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Wording.h>
#include <kaon/codec/PageEncoding.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Loads the bytes of a page from the source or its description; returns a mistake, or "". The
/// bytes may be in `scratch`.
std::string load(const io::ByteSource& bytes, const ClusterMeta& cluster, const PageEntry& entry,
                 std::size_t elementSize, Buffer& scratch, std::span<const std::byte>& stored) {
  if (!isPlausible(entry.size, std::uint64_t{entry.values} * elementSize))
    return "claims to hold more values than it can";
  if (entry.isShort) {
    stored = std::span(entry.bytes).first(static_cast<std::size_t>(entry.size));
    return "";
  }
  stored = bytes.view(cluster.position(entry), entry.size, scratch);
  return pageChecksum(stored) == entry.checksum ? "" : "does not match its checksum";
}

/// Decodes a page into `out`; returns a mistake, or "".
std::string decodePage(const io::ByteSource& bytes, const ClusterMeta& cluster,
                       const PageEntry& entry, const codec::Element& element, Buffer& out,
                       std::size_t elementSize) {
  Buffer scratch;
  std::span<const std::byte> stored;
  if (std::string wrong = load(bytes, cluster, entry, elementSize, scratch, stored); !wrong.empty())
    return wrong;
  const auto values = out.assign(static_cast<std::size_t>(entry.values) * elementSize);
  return codec::decode(entry.encoding, element, stored, values) ? "" : "does not decode";
}

/// Returns whether bounds are equal, ignoring the sign of zero: either zero may be the least.
bool agree(std::uint64_t a, std::uint64_t b, const Member& member) {
  const std::uint64_t sign = std::uint64_t{1} << (sizeOf(member.type) * 8 - 1);
  return a == b || (detail::elementOf(member).isFloat && (a & ~sign) == 0 && (b & ~sign) == 0);
}

bool agree(const PageBounds& a, const PageBounds& b, const Member& member) {
  if (a.flags != b.flags)
    return false;
  return has(a.flags, PageFlags::unbounded) ||
         (agree(a.bounds.least, b.bounds.least, member) &&
          agree(a.bounds.greatest, b.bounds.greatest, member));
}

} // namespace

ClusterCheck::ClusterCheck(const io::ByteSource& bytes, const CategoryContents& category,
                           ClusterMeta& cluster, const RelationTargets& targets,
                           Verification& result)
    : m_bytes(bytes), m_category(category), m_schema(category.schema), m_cluster(cluster),
      m_targets(targets), m_result(result) {}

void ClusterCheck::check() {
  checkGaps();
  if (!checkColumns())
    return;
  const auto forEachTable = [&](auto call) {
    for (TableNumber group = 0; group < m_schema.size(); ++group)
      if (m_schema.groupOf(group) == group && !m_cluster.ends(group).empty())
        for (const TableNumber root : m_schema.rootsOf(group))
          for (const TableNumber table : m_schema.tablesUnder(root))
            call(group, table);
  };
  forEachTable([&](TableNumber group, TableNumber table) {
    checkStructure(group, table);
    if (m_rows.contains(table) && m_schema.table(table).canBeAbsent())
      checkPresence(group, table);
  });
  forEachTable([&](TableNumber group, TableNumber table) {
    if (m_rows.contains(table))
      checkValues(group, table);
  });
  m_result.bytes += m_cluster.index().pagesSize;
}

/// Checks that bytes between the pages are zero.
void ClusterCheck::checkGaps() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pages;
  for (ColumnNumber column = 0; column < m_schema.columns().size(); ++column)
    if (const ColumnPages* const stored = m_cluster.column(column))
      for (const PageEntry& entry : stored->pages)
        if (!entry.isShort)
          pages.emplace_back(entry.position, entry.position + entry.size);
  pages.emplace_back(m_cluster.index().pagesSize, m_cluster.index().pagesSize);
  std::ranges::sort(pages);
  std::uint64_t end = 0;
  Buffer scratch;
  for (const auto& [first, last] : pages) {
    if (first > end) {
      const auto gap = m_bytes.view(m_cluster.position({.position = end}), first - end, scratch);
      if (std::ranges::any_of(gap, [](std::byte byte) { return byte != std::byte{0}; }))
        report("bytes between its pages are not zero");
    }
    end = std::max(end, last);
  }
}

/// Checks that the cluster has all pages of its columns. Returns false if further checks are
/// impossible.
bool ClusterCheck::checkColumns() {
  bool areWhole = true;
  for (const std::uint32_t number : m_cluster.columns()) {
    const Column& column = m_schema.columns()[number];
    if (m_cluster.column(number)->pages.size() ==
        m_cluster.ends(m_schema.groupOf(column.table)).size())
      continue;
    report("it lacks pages of the column '" + nameOf(m_schema, column) + "'");
    areWhole = false;
  }
  return areWhole;
}

/// Determines the number of rows of a table in each page.
void ClusterCheck::checkStructure(TableNumber group, TableNumber table) {
  if (!hasTable(table))
    return;
  std::vector<Rows>& rows = m_rows[table];
  for (std::uint32_t page = 0; page < m_cluster.ends(group).size(); ++page)
    rows.push_back(rowsOf(group, table, page));
}

ClusterCheck::Rows ClusterCheck::rowsOf(TableNumber group, TableNumber table, std::uint32_t page) {
  const Table info = m_schema.table(table);
  Rows rows{parentsOf(group, info, page), {}, {}};
  if (!info.isCounted())
    return rows;
  const auto parents = std::exchange(rows.count, std::nullopt);
  const ColumnNumber column = m_schema.countsColumn(table);
  const auto place = placeOf(group, column, page);
  if (!place) {
    if (page == 0)
      report("it lacks the counts of '" + std::string(info.name) + "'");
    return rows;
  }
  if (parents && *parents != place->entry.values) {
    report(*place, "holds the counts of " + std::to_string(place->entry.values) +
                       " rows, but there are " + std::to_string(*parents));
    return rows;
  }
  readCounts(*place, rows);
  return rows;
}

void ClusterCheck::readCounts(const Place& place, Rows& rows) {
  ++m_result.pages;
  Buffer scratch;
  std::span<const std::byte> stored;
  if (std::string wrong =
          load(m_bytes, m_cluster, place.entry, sizeof(std::uint32_t), scratch, stored);
      !wrong.empty())
    return report(place, std::move(wrong));
  m_kept += (place.entry.values + 1) * sizeof(std::uint32_t);
  if (!isPlausible(m_cluster.index().metaSize + m_cluster.index().pagesSize, m_kept))
    return report(place, "has more counts than the cluster can hold");
  rows.offsets.resize(static_cast<std::size_t>(place.entry.values) + 1);
  std::uint64_t total = 0;
  if (codec::decodeCounts(place.entry.encoding, stored, rows.offsets, total)) {
    rows.count = rows.offsets.back();
    return;
  }
  rows.offsets.clear();
  report(place, total > ~std::uint32_t{0} ? "has counts that add up to " + std::to_string(total)
                                          : "does not decode");
}

/// Checks that entries without a table have no rows of it.
void ClusterCheck::checkPresence(TableNumber group, TableNumber table) {
  for (std::uint32_t page = 0; page < m_cluster.ends(group).size(); ++page) {
    const auto place = placeOf(group, m_schema.presenceColumn(table), page);
    auto& [count, offsets, present] = m_rows[table][page];
    if (!place)
      continue;
    if (!decode(*place, static_cast<std::size_t>(entriesOf(group, page).size()), present)) {
      present.clear();
      continue;
    }
    std::size_t wrong = 0, filled = 0;
    for (std::size_t i = 0; i < present.size(); ++i) {
      wrong += present.data()[i] > std::byte{1};
      filled +=
          present.data()[i] == std::byte{0} && !offsets.empty() && offsets[i + 1] != offsets[i];
    }
    if (wrong > 0)
      report(*place,
             "holds " + counted(wrong, "value that is", "values that are") + " neither 0 nor 1");
    if (filled > 0)
      report(*place, "lacks the table in " +
                         counted(filled, "entry that has", "entries that have") + " rows of it");
  }
}

void ClusterCheck::checkValues(TableNumber group, TableNumber table) {
  const Table info = m_schema.table(table);
  const auto [first, last] = m_schema.columnsOf(table);
  const bool isRelation =
      info.kind == TableKind::oneRelation || info.kind == TableKind::manyRelation;
  Buffer values, indices;
  for (std::uint32_t page = 0; page < m_cluster.ends(group).size(); ++page)
    for (ColumnNumber column = first; column < last; ++column) {
      const Column& about = m_schema.columns()[column];
      if (about.role != ColumnRole::member && about.role != ColumnRole::rows)
        continue;
      const auto place = placeOf(group, column, page);
      if (!place && m_rows[table][page].count.value_or(0) > 0)
        report("it lacks the column '" + nameOf(m_schema, about) + "'");
      values.clear();
      if (!place || !decode(*place, m_rows[table][page].count, values)) {
        indices.clear();
        continue;
      }
      checkBools(*place, values.bytes());
      if (about.role == ColumnRole::rows)
        checkPadding(*place, values.bytes());
      checkBounds(*place, values.bytes());
      if (isRelation && about.member == detail::relationIndex)
        std::swap(values, indices);
      else if (isRelation)
        checkReferences(*place, indices.bytes(), values.bytes());
    }
}

void ClusterCheck::checkBools(const Place& place, std::span<const std::byte> values) {
  const Column& column = m_schema.columns()[place.column];
  const Table table = m_schema.table(column.table);
  std::size_t wrong = 0;
  const auto count = [&](const Member& member, std::size_t offset) {
    if (member.type != Scalar::Bool)
      return;
    for (std::size_t at = offset; at < values.size(); at += column.elementSize)
      for (std::size_t k = 0; k < member.extent; ++k)
        wrong += values[at + k] > std::byte{1};
  };
  if (column.role == ColumnRole::member)
    count(table.members[column.member], 0);
  else
    for (const Member& member : table.members)
      count(member, member.offset);
  if (wrong > 0)
    report(place, "holds " + counted(wrong, "bool that is", "bools that are") + " neither 0 nor 1");
}

/// Checks that bytes between the members of rows are zero.
void ClusterCheck::checkPadding(const Place& place, std::span<const std::byte> rows) {
  const Column& column = m_schema.columns()[place.column];
  std::vector<bool> isMember(column.elementSize);
  for (const Member& member : m_schema.table(column.table).members)
    std::fill_n(isMember.begin() + member.offset, member.size(), true);
  std::vector<std::size_t> between;
  for (std::size_t i = 0; i < isMember.size(); ++i)
    if (!isMember[i])
      between.push_back(i);
  for (std::size_t row = 0; row < rows.size(); row += column.elementSize)
    for (const std::size_t i : between)
      if (rows[row + i] != std::byte{0})
        return report(place, "has bytes between members that are not zero");
}

void ClusterCheck::checkBounds(const Place& place, std::span<const std::byte> values) {
  const Column& column = m_schema.columns()[place.column];
  const Table table = m_schema.table(column.table);
  const ColumnPages& pages = *m_cluster.column(place.column);
  const auto [first, last] = membersIn(m_schema, column);
  for (std::uint32_t number = first; number < last; ++number) {
    const Member member = table.members[number];
    const PageBounds& stored = pages.bounds[place.page * pages.members() + (number - first)];
    const PageBounds actual = column.role == ColumnRole::member
                                  ? boundsOf(member.type, values)
                                  : boundsInRows(member, column.elementSize, values);
    if (!agree(stored, actual, member))
      report(place, "has values that differ from its bounds");
  }
}

/// Checks that references lead to existing objects of the relation's type, or of a type of its
/// interface.
void ClusterCheck::checkReferences(const Place& place, std::span<const std::byte> indices,
                                   std::span<const std::byte> collections) {
  const std::uint32_t number = m_schema.columns()[place.column].table;
  const Table info = m_schema.table(number);
  const auto parents = m_rows.find(info.parent);
  if (parents == m_rows.end())
    return;
  const auto& owners = parents->second[place.page].offsets;
  const auto& own = m_rows[number][place.page].offsets;
  if (indices.size() != collections.size() || owners.empty() || (info.isCounted() && own.empty()))
    return;
  const EntryRange entries = entriesOf(place.group, place.page);
  const auto begin = [&](std::size_t entry) {
    return info.isCounted() ? own[owners[entry]] : owners[entry];
  };
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t entry = 0; entry < entries.size(); ++entry)
    for (std::size_t row = begin(entry); row < begin(entry + 1); ++row) {
      const auto wrongOne =
          wrongReference(info.type, entries.first + entry,
                         detail::loadAs<std::int32_t>(&indices[row * sizeof(std::int32_t)]),
                         detail::loadAs<std::uint32_t>(&collections[row * sizeof(std::uint32_t)]));
      if (!wrongOne.empty() && wrong++ == 0)
        first = "entry " + std::to_string(entries.first + entry) + " " + wrongOne;
    }
  if (wrong > 0)
    report(place, "holds " + counted(wrong, "reference that leads", "references that lead") +
                      " nowhere: " + first);
}

/// Returns the mistake of a reference from an entry, or "".
std::string ClusterCheck::wrongReference(std::string_view type, std::uint64_t entry,
                                         std::int32_t index, TableNumber collection) const {
  if (index == -1)
    return "";
  if (index < 0)
    return "refers to object " + std::to_string(index);
  if (collection >= m_schema.size() || m_schema.table(collection).kind != TableKind::collection)
    return "refers to a collection that does not exist";
  const Table target = m_schema.table(collection);
  if (!m_targets.allow(type, target.type))
    return "refers to '" + std::string(target.name) + "', which has objects of " +
           std::string(target.type) + ", not of " + std::string(type);
  const auto objects = objectsOf(collection, entry);
  if (!objects || static_cast<std::uint32_t>(index) < *objects)
    return "";
  return "refers to object " + std::to_string(index) + " of '" + std::string(target.name) +
         "', which has " + std::to_string(*objects);
}

/// Returns the number of objects in an entry; nothing if the entry lacks the collection, or if the
/// number is unknown.
std::optional<std::uint32_t> ClusterCheck::objectsOf(TableNumber collection,
                                                     std::uint64_t entry) const {
  const auto known = m_rows.find(collection);
  if (known == m_rows.end()) // The collection is newer than the cluster.
    return std::nullopt;
  const TableNumber group = m_schema.groupOf(collection);
  const auto ends = m_cluster.ends(group);
  const auto end = std::ranges::upper_bound(ends, entry - m_cluster.index().firstEntry);
  const auto page = static_cast<std::uint32_t>(end - ends.begin());
  const auto& [count, offsets, present] = known->second[page];
  const auto i = static_cast<std::size_t>(entry - entriesOf(group, page).first);
  if (offsets.empty() || (!present.empty() && present.data()[i] == std::byte{0}))
    return std::nullopt;
  return offsets[i + 1] - offsets[i];
}

std::optional<PageBounds> ClusterCheck::keyBounds(TableNumber table) const {
  const auto all = values(table);
  return all ? std::optional(boundsOf(m_schema.table(table).members[0].type, all->bytes()))
             : std::nullopt;
}

std::optional<Buffer> ClusterCheck::values(TableNumber table) const {
  const Member member = m_schema.table(table).members[0];
  const ColumnNumber column = m_schema.place(table, 0).column;
  const ColumnPages* const pages = m_cluster.column(column);
  Buffer all, page;
  if (!pages) {
    if (!isPlausible(0, std::uint64_t{m_cluster.index().entries} * member.size()))
      return std::nullopt;
    for (std::uint32_t i = 0; i < m_cluster.index().entries; ++i)
      all.append(std::as_bytes(std::span(&member.missing, 1)).first(member.size()));
    return all;
  }
  for (const PageEntry& entry : pages->pages) {
    if (!decodePage(m_bytes, m_cluster, entry, detail::elementOf(member), page, member.size())
             .empty())
      return std::nullopt;
    all.append(page.bytes());
  }
  if (all.size() != std::size_t{m_cluster.index().entries} * member.size())
    return std::nullopt;
  return all;
}

std::optional<ClusterCheck::Place> ClusterCheck::placeOf(TableNumber group, ColumnNumber column,
                                                         std::uint32_t page) const {
  const ColumnPages* const pages = m_cluster.column(column);
  return pages ? std::optional<Place>({column, group, page, pages->pages[page]}) : std::nullopt;
}

EntryRange ClusterCheck::entriesOf(TableNumber group, std::uint32_t page) const {
  const auto ends = m_cluster.ends(group);
  const std::uint64_t first = m_cluster.index().firstEntry;
  return {first + (page > 0 ? ends[page - 1] : 0), first + ends[page]};
}

/// Returns whether the cluster has data of the table. If not, the table is newer.
bool ClusterCheck::hasTable(TableNumber table) const {
  const auto [first, last] = m_schema.columnsOf(table);
  if (first == last) // one row per entry, with only lists
    return true;
  for (ColumnNumber column = first; column < last; ++column)
    if (m_cluster.column(column))
      return true;
  return false;
}

/// Returns the number of the table's counts in a page, or of its rows if it is not counted.
std::optional<std::size_t> ClusterCheck::parentsOf(TableNumber group, const Table& info,
                                                   std::uint32_t page) const {
  if (info.isRoot())
    return static_cast<std::size_t>(entriesOf(group, page).size());
  const auto known = m_rows.find(info.parent);
  return known == m_rows.end() ? 0 : known->second[page].count;
}

/// Decodes a page. Returns false and reports if it is damaged or has another number of values than
/// expected.
bool ClusterCheck::decode(const Place& place, std::optional<std::size_t> expected, Buffer& out) {
  ++m_result.pages;
  const Column& column = m_schema.columns()[place.column];
  std::string wrong = decodePage(m_bytes, m_cluster, place.entry, elementOf(m_schema, column), out,
                                 column.elementSize);
  if (wrong.empty() && expected && place.entry.values != *expected)
    wrong = "has " + counted(place.entry.values, "value") + ", but the counts say " +
            std::to_string(*expected);
  if (wrong.empty())
    return true;
  report(place, std::move(wrong));
  return false;
}

/// Returns the position of a page in the file; short pages are in the meta bytes.
std::uint64_t ClusterCheck::positionOf(const Place& place) const {
  return place.entry.isShort ? m_cluster.index().position : m_cluster.position(place.entry);
}

void ClusterCheck::report(const Place& place, std::string what) {
  const Column& column = m_schema.columns()[place.column];
  std::string page = "a page";
  if (column.role != ColumnRole::member)
    page.append(" of its ").append(roleName(column.role));
  m_result.findings.push_back({m_category.name, nameOf(m_schema, column),
                               entriesOf(place.group, place.page), positionOf(place),
                               page + " " + what});
}

void ClusterCheck::report(std::string what) {
  const IndexCluster& header = m_cluster.index();
  m_result.findings.push_back({m_category.name,
                               "",
                               {header.firstEntry, header.firstEntry + header.entries},
                               m_cluster.index().position,
                               "a cluster: " + std::move(what)});
}

} // namespace kaon::kaonfile
