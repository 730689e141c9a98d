#include <kaon/batch/Batch.h>

#include <kaon/model/MemberTree.h>

#include <algorithm>

namespace kaon {

std::span<const std::uint32_t> Batch::offsets(std::string_view table) const {
  const TableNumber number = m_schema->tableNamed(table);
  if (!m_schema->table(number).isCounted())
    fail(ErrorKind::usage, "'", table,
         "' has one row for each entry or parent row, and therefore no offsets");
  if (m_tables[number].offsets.empty())
    fail(ErrorKind::usage, "no column of '", table, "' was asked for in this batch");
  return m_tables[number].offsets;
}

void Batch::setRuns(std::span<const EntryRange> runs) noexcept {
  m_range = runs.front();
  m_runs = runs.size() > 1 ? runs : std::span<const EntryRange>{};
  m_entries = 0;
  for (const EntryRange& run : runs)
    m_entries += static_cast<std::size_t>(run.size());
}

void Batch::setOrigin(const std::shared_ptr<const File>& file) {
  m_origins.clear();
  for (const EntryRange& run : runs())
    m_origins.push_back({file, run.first, static_cast<std::size_t>(run.size())});
}

std::vector<detail::FileEntries> Batch::origins(std::size_t first, std::size_t last) const {
  if (m_origins.empty())
    return {{nullptr, 0, last - first}};
  std::vector<detail::FileEntries> runs;
  std::size_t begin = 0; // where the run begins in the batch
  for (const detail::FileEntries& run : m_origins) {
    const std::size_t from = std::max(first, begin), to = std::min(last, begin + run.count);
    if (from < to)
      runs.push_back({run.file, run.first + (from - begin), to - from});
    begin += run.count;
  }
  return runs;
}

void detail::appendRuns(std::vector<detail::FileEntries>& runs,
                        std::span<const detail::FileEntries> further) {
  for (const detail::FileEntries& run : further)
    if (!runs.empty() && runs.back().file == run.file &&
        (!run.file || runs.back().first + runs.back().count == run.first))
      runs.back().count += run.count;
    else
      runs.push_back(run);
}

TableMember Batch::find(std::string_view name, Scalar type) const {
  const auto [table, member] = m_schema->valueNamed(name);
  const Scalar actual = m_schema->table(table).members[member].type;
  if (actual != type)
    fail(ErrorKind::type, "'", name, "' holds ", nameOf(actual), " values, not ", nameOf(type));
  const auto& members = m_tables[table].members;
  if (member >= members.size() || !members[member].base)
    fail(ErrorKind::usage, "'", name, "' was not asked for in this batch");
  return {table, member};
}

const std::byte* Batch::inOrder(TableNumber table, MemberNumber member,
                                std::string_view name) const {
  const ColumnView& column = m_tables[table].members[member];
  if (column.stride != m_schema->table(table).members[member].size() && m_tables[table].rows > 1)
    fail(ErrorKind::usage, "the values of '", name, "' are not contiguous");
  return column.base;
}

void Batch::requireAlwaysThere(TableMember place, std::string_view name) const {
  if (!presencesOf(*m_schema, place.table, place.member).empty())
    fail(ErrorKind::type, "'", name, "' may be missing; optionals(\"", name,
         "\") tells where it is present");
}

void Batch::requireExtent(TableMember place, std::uint32_t extent, std::string_view name) const {
  const std::uint32_t actual = m_schema->table(place.table).members[place.member].extent;
  if (actual != extent)
    fail(ErrorKind::type, "'", name, "' has ", actual, " values in each row, not ", extent);
}

/// Returns where a member is present: in all optionals around it.
Batch::Presence Batch::presenceOf(TableMember place) const {
  Presence presence;
  std::shared_ptr<std::vector<std::byte>> owned;
  const std::size_t rows = m_tables[place.table].rows;
  for (const auto [table, member] : presencesOf(*m_schema, place.table, place.member)) {
    const std::string name = m_schema->nameOfMember(table, member);
    if (!haveSameRows(*m_schema, table, place.table))
      fail(ErrorKind::type, "'", m_schema->nameOfMember(place.table, place.member),
           "' lies in lists that may be missing; '", name, "' tells where they are present");
    (void)find(name, Scalar::Bool);
    const std::byte* const further = inOrder(table, member, name);
    if (!presence.present) {
      presence.present = further;
      continue;
    }
    if (!owned)
      owned = std::make_shared<std::vector<std::byte>>(presence.present, presence.present + rows);
    for (std::size_t row = 0; row < rows; ++row)
      (*owned)[row] &= further[row];
    presence = {owned->data(), owned};
  }
  return presence;
}

} // namespace kaon
