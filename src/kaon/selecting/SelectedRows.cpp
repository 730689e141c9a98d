#include <kaon/selecting/SelectedRows.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/batch/StridedCopy.h>

#include <cstring>
#include <numeric>

namespace kaon {
namespace {

/// Returns the offsets of a table at any level: entry i has the rows [offsets[i], offsets[i + 1]).
std::vector<std::size_t> entryOffsets(const Batch& batch, TableNumber table) {
  const Table info = batch.schema().table(table);
  std::vector<std::size_t> begins;
  if (info.isRoot()) {
    begins.resize(batch.entries() + 1);
    std::iota(begins.begin(), begins.end(), std::size_t{0});
  } else {
    begins = entryOffsets(batch, info.parent);
  }
  if (info.isCounted())
    for (std::size_t entry = batch.entries() + 1; entry-- > 0;)
      begins[entry] = detail::rowsUnder(batch, table, {begins[entry], begins[entry]}).first;
  return begins;
}

/// Returns a collection, or lists of entries without a model, to which no references lead.
TableNumber rowsNamed(const Schema& schema, std::string_view name) {
  const TableNumber collection = schema.findCollection(name);
  const TableNumber table = collection == Table::none ? schema.find(name) : collection;
  const bool hasRows =
      table != Table::none && schema.table(table).isRoot() && schema.table(table).isCounted();
  return hasRows ? table : Table::none;
}

} // namespace

void takeEntries(const Batch& batch, std::span<const std::size_t> entries, JoinedBatch& out) {
  std::vector<detail::RowRange> runs;
  for (const std::size_t entry : entries) {
    if (entry >= batch.entries())
      fail(ErrorKind::usage, "the batch has no entry ", entry, ", only ", batch.entries());
    if (!runs.empty() && runs.back().last == entry)
      ++runs.back().last;
    else
      runs.push_back({entry, entry + 1});
  }
  out.append(batch, runs);
}

SelectedRows::SelectedRows(const Batch& batch, std::string_view collection,
                           std::span<const bool> isTaken, LostReference lost)
    : m_batch(batch.schema(), batch.firstEntry(), batch.entries()),
      m_collection(rowsNamed(batch.schema(), collection)), m_taken(batch.schema().size()) {
  const Schema& schema = batch.schema();
  if (m_collection == Table::none) {
    (void)schema.tableNamed(collection); // fails for unknown names
    fail(ErrorKind::name, "'", collection, "' is not a collection");
  }
  if (batch.table(m_collection).offsets.empty())
    fail(ErrorKind::usage, "no column of '", collection, "' was asked for in this batch");
  if (isTaken.size() != batch.table(m_collection).rows)
    fail(ErrorKind::usage, "'", collection, "' has ",
         counted(batch.table(m_collection).rows, "row"), ", not ", isTaken.size());
  for (TableNumber table = 0; table < schema.size(); ++table)
    m_batch.table(table) = batch.table(table);
  m_batch.setOrigins(batch.origins(0, batch.entries()));
  numberRows(batch, isTaken);
  for (const TableNumber table : schema.tablesUnder(m_collection))
    take(batch, table);
  for (TableNumber table = 0; table < schema.size(); ++table)
    if (const TableKind kind = schema.table(table).kind;
        kind == TableKind::oneRelation || kind == TableKind::manyRelation)
      redirect(batch, table, lost);
}

/// Finds the rows that are taken, and the new number of each in its entry.
void SelectedRows::numberRows(const Batch& from, std::span<const bool> isTaken) {
  std::vector<detail::RowRange>& taken = m_taken[m_collection];
  m_newIndices.assign(isTaken.size(), -1);
  for (std::size_t entry = 0; entry < from.entries(); ++entry) {
    const detail::RowRange rows = detail::rowsUnder(from, m_collection, {entry, entry + 1});
    std::int32_t next = 0;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      if (!isTaken[row])
        continue;
      m_newIndices[row] = next++;
      if (!taken.empty() && taken.back().last == row)
        taken.back().last = row + 1;
      else
        taken.push_back({row, row + 1});
    }
  }
}

/// Takes the collection's rows, or the rows of a table under it whose parents were taken.
void SelectedRows::take(const Batch& from, TableNumber table) {
  const Table info = from.schema().table(table);
  if (info.isCounted() && from.table(table).offsets.empty())
    return; // the batch has no data of it
  if (table != m_collection) {
    for (const detail::RowRange above : m_taken[info.parent]) {
      const detail::RowRange rows =
          info.isCounted() ? detail::rowsUnder(from, table, above) : above;
      if (rows.size() > 0)
        m_taken[table].push_back(rows);
    }
  }
  if (info.isCounted())
    takeOffsets(from, table);
  m_batch.table(table).rows = 0;
  for (const detail::RowRange rows : m_taken[table])
    m_batch.table(table).rows += rows.size();
  takeMembers(from, table);
}

void SelectedRows::takeOffsets(const Batch& from, TableNumber table) {
  std::vector<std::uint32_t>& offsets = m_offsets.emplace_back(1, 0);
  const auto old = from.table(table).offsets;
  if (table == m_collection)
    for (std::size_t entry = 0; entry < from.entries(); ++entry) {
      std::uint32_t taken = 0;
      for (std::size_t row = old[entry]; row < old[entry + 1]; ++row)
        taken += m_newIndices[row] >= 0;
      offsets.push_back(offsets.back() + taken);
    }
  else
    for (const detail::RowRange above : m_taken[from.schema().table(table).parent])
      for (std::size_t row = above.first; row < above.last; ++row) {
        const detail::RowRange rows = detail::rowsUnder(from, table, {row, row + 1});
        offsets.push_back(offsets.back() + static_cast<std::uint32_t>(rows.size()));
      }
  m_batch.table(table).offsets = offsets;
}

void SelectedRows::takeMembers(const Batch& from, TableNumber table) {
  const TableView& old = from.table(table);
  for (MemberNumber member = 0; member < old.members.size(); ++member) {
    if (!old.members[member].base)
      continue;
    const std::size_t size = from.schema().table(table).members[member].size();
    Buffer& values = m_values.emplace_back();
    values.reserve(1); // values need an address, even without rows
    for (const detail::RowRange rows : m_taken[table])
      detail::copyStrided(values.grow(rows.size() * size), size, old.members[member].at(rows.first),
                          old.members[member].stride, rows.size(), size);
    m_batch.table(table).members[member] = {values.data(), size};
  }
}

/// Redirects a relation's references to the new positions of the objects.
void SelectedRows::redirect(const Batch& from, std::uint32_t relation, LostReference lost) {
  TableView& view = m_batch.table(relation);
  if (view.rows == 0)
    return;
  const auto name = from.schema().table(relation).name;
  if (view.members.size() <= detail::relationCollection ||
      !view.members[detail::relationIndex].base || !view.members[detail::relationCollection].base)
    fail(ErrorKind::usage, "the batch lacks members of '", name, "'");
  Buffer& indices = m_values.emplace_back();
  std::byte* const out = indices.assign(view.rows * sizeof(std::int32_t)).data();
  const auto entries = entryOffsets(m_batch, relation);
  const auto objects = from.table(m_collection).offsets;
  for (std::size_t entry = 0; entry < from.entries(); ++entry)
    for (std::size_t row = entries[entry]; row < entries[entry + 1]; ++row) {
      auto index = detail::loadAs<std::int32_t>(view.members[detail::relationIndex].at(row));
      const auto target =
          detail::loadAs<std::uint32_t>(view.members[detail::relationCollection].at(row));
      if (target == m_collection && index >= 0) {
        if (static_cast<std::uint32_t>(index) >= objects[entry + 1] - objects[entry])
          fail(ErrorKind::corrupt, "'", name, "' refers to object ", index, " of entry ",
               from.firstEntry() + entry, ", which does not exist");
        index = m_newIndices[objects[entry] + static_cast<std::uint32_t>(index)];
        if (index < 0 && lost == LostReference::isError)
          fail(ErrorKind::usage, "'", name, "' refers to an object of entry ",
               from.firstEntry() + entry, " that is not taken");
      }
      std::memcpy(out + row * sizeof index, &index, sizeof index);
    }
  view.members[detail::relationIndex] = {out, sizeof(std::int32_t)};
}

} // namespace kaon
