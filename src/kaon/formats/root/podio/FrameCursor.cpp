#include <kaon/formats/root/podio/FrameCursor.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <ranges>
#include <span>
#include <vector>

namespace kaon::root::podio {
namespace {

/// Returns room for offsets: one more than there are counts. The first offset is 0.
std::span<std::uint32_t> roomForOffsets(std::size_t counts, detail::Page& page) {
  page.values = counts + 1;
  const auto out = page.storage.assign(page.values * sizeof(std::uint32_t));
  page.data = out.data();
  const std::span offsets(detail::valuesAt<std::uint32_t>(out.data()), page.values);
  offsets[0] = 0;
  return offsets;
}

/// Returns the stored columns of a type of parameters that are needed for one of kaon's columns.
std::vector<std::uint32_t> storedColumns(PodioOrigin::Kind kind, const ParameterTable& table,
                                         const Schema& stored) {
  std::vector<std::uint32_t> columns = {
      stored.countsColumn(table.keys), stored.countsColumn(table.text),
      stored.place(table.text, 0).column, stored.countsColumn(table.lists),
      stored.countsColumn(table.values)};
  if (kind == PodioOrigin::Kind::parameterValues)
    columns.push_back(stored.place(table.values, 0).column);
  if (kind == PodioOrigin::Kind::textCounts || kind == PodioOrigin::Kind::text) {
    columns.push_back(stored.countsColumn(table.characters));
    columns.push_back(stored.place(table.characters, 0).column);
  }
  return columns;
}

} // namespace

std::vector<std::uint32_t> storedColumns(const PodioOrigin& origin, const FrameTables& tables,
                                         const Schema& stored) {
  std::vector<std::uint32_t> columns;
  const auto addSlices = [&] {
    const SideTable& side = tables.sides[origin.number];
    columns.push_back(stored.countsColumn(side.objects));
    columns.push_back(stored.countsColumn(side.rows));
    if (side.begins != SideTable::none) {
      columns.push_back(side.begins);
      columns.push_back(side.ends);
    }
  };
  switch (origin.kind) {
  case PodioOrigin::Kind::presence:
    break;
  case PodioOrigin::Kind::stored:
    columns = {origin.column};
    break;
  case PodioOrigin::Kind::index:
    columns = {tables.sides[origin.number].index};
    [[fallthrough]];
  case PodioOrigin::Kind::collection:
    columns.push_back(tables.sides[origin.number].collection);
    addSlices();
    break;
  case PodioOrigin::Kind::element:
    columns = {origin.column, stored.countsColumn(stored.columns()[origin.column].table)};
    if (origin.number != PodioOrigin::none)
      addSlices();
    break;
  case PodioOrigin::Kind::rows:
    columns = {origin.column};
    [[fallthrough]];
  case PodioOrigin::Kind::rowCounts:
    addSlices();
    break;
  case PodioOrigin::Kind::parameterPresence:
  case PodioOrigin::Kind::parameterCounts:
  case PodioOrigin::Kind::parameterValues:
  case PodioOrigin::Kind::textCounts:
  case PodioOrigin::Kind::text:
    return storedColumns(origin.kind, tables.parameters[origin.number], stored);
  }
  return columns;
}

FrameCursor::FrameCursor(const Source& stored, const FrameTables& tables)
    : m_stored(stored), m_tables(tables), m_pages(stored), m_sides(tables.sides.size()) {
  for (const ParameterTable& table : tables.parameters)
    m_parameters.emplace_back(table);
}

void FrameCursor::fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
  std::vector<std::uint32_t> stored;
  for (const std::uint32_t column : columns)
    std::ranges::copy(storedColumns(m_tables.origins[column], m_tables, m_stored.schema()),
                      std::back_inserter(stored));
  sortUnique(stored);
  m_pages.cursor().fetch(stored, entries);
}

detail::PageRange FrameCursor::pages(TableNumber group, std::uint64_t entry) {
  std::vector<std::uint32_t> stored;
  for (const TableNumber root : m_tables.schema.rootsOf(group))
    std::ranges::copy(m_tables.storedRoots[root], std::back_inserter(stored));
  return m_pages.common(stored, entry);
}

void FrameCursor::read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
                       detail::Page& page) {
  const PodioOrigin& origin = m_tables.origins[column];
  page.values = values;
  if (origin.kind == PodioOrigin::Kind::stored)
    return m_pages.cursor().read(origin.column, range, values, page);
  page.shared.reset();
  switch (origin.kind) {
  case PodioOrigin::Kind::stored:
    return;
  case PodioOrigin::Kind::presence:
    std::memset(page.roomFor(values).data(), 1, values);
    return;
  case PodioOrigin::Kind::rowCounts:
    return readRowCounts(origin, range, page);
  case PodioOrigin::Kind::rows:
    return readRows(origin, range, values, page);
  case PodioOrigin::Kind::element:
    return readElements(origin, range, values, page);
  case PodioOrigin::Kind::index:
    return readIndex(origin, range, page);
  case PodioOrigin::Kind::collection:
    return readCollection(origin, range, page);
  case PodioOrigin::Kind::parameterPresence:
    return readParameterPresence(origin, range, page);
  case PodioOrigin::Kind::parameterCounts:
    return readParameterCounts(origin, range, page);
  case PodioOrigin::Kind::parameterValues:
    return readParameterValues(origin, range, page);
  case PodioOrigin::Kind::textCounts:
    return readTextCounts(origin, range, page);
  case PodioOrigin::Kind::text:
    return readText(origin, range, page);
  }
}

const SideRows& FrameCursor::rowsOf(const PodioOrigin& origin, const detail::PageRange& range) {
  SideRows& rows = m_sides[origin.number];
  rows.find(m_tables.sides[origin.number], range, m_pages, m_stored);
  return rows;
}

void FrameCursor::readRowCounts(const PodioOrigin& origin, const detail::PageRange& range,
                                detail::Page& page) {
  const std::vector<std::uint32_t>& offsets = rowsOf(origin, range).offsets();
  std::ranges::copy(offsets, roomForOffsets(offsets.size() - 1, page).begin());
}

void FrameCursor::readRows(const PodioOrigin& origin, const detail::PageRange& range,
                           std::size_t values, detail::Page& page) {
  const SideRows& rows = rowsOf(origin, range);
  if (rows.areAsStored())
    return m_pages.cursor().read(origin.column, range, values, page);
  const std::size_t size = m_stored.schema().columns()[origin.column].elementSize;
  const detail::Page& stored = m_pages.page(origin.column, range);
  std::byte* const out = page.roomFor(rows.size() * size).data();
  for (std::size_t row = 0; row < rows.size(); ++row)
    std::memcpy(out + row * size, stored.data + (stored.isRepeated ? 0 : rows[row] * size), size);
}

void FrameCursor::readElements(const PodioOrigin& origin, const detail::PageRange& range,
                               std::size_t values, detail::Page& page) {
  const std::size_t size = m_stored.schema().columns()[origin.column].elementSize;
  const detail::Page& stored = m_pages.page(origin.column, range);
  const std::uint32_t innermost = m_stored.schema().columns()[origin.column].table;
  // Offsets of each array.
  std::vector<std::span<const std::uint32_t>> begins(origin.elements.size());
  for (TableNumber table = innermost; auto& ofArray : begins | std::views::reverse) {
    ofArray = m_pages.offsets(table, range);
    table = m_stored.schema().table(table).parent;
  }
  const SideRows* const rows =
      origin.number != PodioOrigin::none ? &rowsOf(origin, range) : nullptr;
  std::byte* const out = page.roomFor(values * size).data();
  for (std::size_t row = 0; row < values; ++row) {
    std::size_t at = rows ? (*rows)[row] : row;
    for (std::size_t array = 0; array < begins.size(); ++array) {
      if (begins[array][at + 1] - begins[array][at] <= origin.elements[array])
        fail(ErrorKind::corrupt, m_stored.name(), ": '", m_stored.schema().table(innermost).name,
             "' has an array without element ", origin.elements[array], "; the file is damaged");
      at = begins[array][at] + origin.elements[array];
    }
    std::memcpy(out + row * size, stored.data + (stored.isRepeated ? 0 : at * size), size);
  }
}

/// Returns the table of a collection, or Table::none if the file does not have the collection.
TableNumber FrameCursor::tableOf(std::uint32_t collectionId) const {
  const auto number = m_tables.numbers.find(collectionId);
  return number == m_tables.numbers.end() ? Table::none : TableNumber(number->second);
}

/// Reads the indices of a relation. podio stores a negative number for references to nothing, and
/// any number for collections that were not written.
void FrameCursor::readIndex(const PodioOrigin& origin, const detail::PageRange& range,
                            detail::Page& page) {
  const SideRows& rows = rowsOf(origin, range);
  const SideTable& side = m_tables.sides[origin.number];
  const PageValues<std::int32_t> indices(m_pages.page(side.index, range));
  const PageValues<std::uint32_t> ids(m_pages.page(side.collection, range));
  auto* const out =
      detail::valuesAt<std::int32_t>(page.roomFor(rows.size() * sizeof(std::int32_t)).data());
  std::uint32_t lastId = 0;
  bool isThere = tableOf(lastId) != Table::none;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (const std::uint32_t id = ids[rows[row]]; id != lastId) {
      lastId = id;
      isThere = tableOf(id) != Table::none;
    }
    const std::int32_t index = indices[rows[row]];
    out[row] = isThere && index >= 0 ? index : -1;
  }
}

/// Converts the IDs of collections to numbers of tables. References to nothing get the number of
/// another reference, so that most pages have a single number.
void FrameCursor::readCollection(const PodioOrigin& origin, const detail::PageRange& range,
                                 detail::Page& page) {
  const SideRows& rows = rowsOf(origin, range);
  const PageValues<std::uint32_t> ids(
      m_pages.page(m_tables.sides[origin.number].collection, range));
  auto* const out = detail::valuesAt<std::uint32_t>(
      page.storage.assign(std::max<std::size_t>(rows.size(), 1) * sizeof(std::uint32_t)).data());
  std::uint32_t lastId = 0, number = 0;
  std::size_t row = 0;
  for (bool isNone = true; row < rows.size() && isNone; ++row)
    if (const TableNumber table = tableOf(lastId = ids[rows[row]]); table != Table::none) {
      number = table;
      isNone = false;
    }
  out[0] = number;
  page.data = page.storage.data();
  page.isRepeated = true;
  for (; row < rows.size(); ++row) {
    if (const std::uint32_t id = ids[rows[row]]; id != lastId) {
      lastId = id;
      const TableNumber table = tableOf(id);
      if (table != Table::none && table != number) {
        if (page.isRepeated)
          std::fill_n(out, row, number);
        page.isRepeated = false;
        number = table;
      }
    }
    if (!page.isRepeated)
      out[row] = number;
  }
}

std::span<const StoredParameterRows::Place> FrameCursor::placesOf(const PodioOrigin& origin,
                                                                  const detail::PageRange& range) {
  m_parameters[origin.number].find(range, m_pages, m_stored);
  return m_parameters[origin.number].places(origin.key);
}

void FrameCursor::readParameterPresence(const PodioOrigin& origin, const detail::PageRange& range,
                                        detail::Page& page) {
  std::byte* const out = page.roomFor(page.values).data();
  std::memset(out, 0, page.values);
  for (const StoredParameterRows::Place& place : placesOf(origin, range))
    out[place.entry] = std::byte{1};
}

void FrameCursor::readParameterCounts(const PodioOrigin& origin, const detail::PageRange& range,
                                      detail::Page& page) {
  const auto places = placesOf(origin, range);
  const auto begins = m_pages.offsets(m_tables.parameters[origin.number].values, range);
  const auto offsets = roomForOffsets(page.values, page);
  std::ranges::fill(offsets, 0);
  for (const auto& [entry, row] : places)
    offsets[entry + 1] += begins[row + 1] - begins[row];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
}

void FrameCursor::readParameterValues(const PodioOrigin& origin, const detail::PageRange& range,
                                      detail::Page& page) {
  const auto places = placesOf(origin, range);
  const std::uint32_t values = m_tables.parameters[origin.number].values;
  const auto begins = m_pages.offsets(values, range);
  const std::uint32_t column = m_stored.schema().place(values, 0).column;
  const std::size_t size = m_stored.schema().columns()[column].elementSize;
  const std::byte* const stored = m_pages.page(column, range).data;
  std::byte* out = page.roomFor(page.values * size).data();
  for (const auto& [entry, row] : places) {
    const std::size_t bytes = (begins[row + 1] - begins[row]) * size;
    out = std::copy_n(stored + begins[row] * size, bytes, out);
  }
}

void FrameCursor::readTextCounts(const PodioOrigin& origin, const detail::PageRange& range,
                                 detail::Page& page) {
  const auto places = placesOf(origin, range);
  const ParameterTable& table = m_tables.parameters[origin.number];
  const auto begins = m_pages.offsets(table.values, range);
  const auto characters = m_pages.offsets(table.characters, range);
  const auto offsets = roomForOffsets(page.values, page);
  std::size_t string = 0;
  for (const auto& [entry, row] : places)
    for (std::size_t each = begins[row]; each < begins[row + 1]; ++each, ++string)
      offsets[string + 1] = offsets[string] + characters[each + 1] - characters[each];
}

void FrameCursor::readText(const PodioOrigin& origin, const detail::PageRange& range,
                           detail::Page& page) {
  const auto places = placesOf(origin, range);
  const ParameterTable& table = m_tables.parameters[origin.number];
  const auto begins = m_pages.offsets(table.values, range);
  const auto characters = m_pages.offsets(table.characters, range);
  const std::byte* const stored =
      m_pages.page(m_stored.schema().place(table.characters, 0).column, range).data;
  std::byte* out = page.roomFor(page.values).data();
  for (const auto& [entry, row] : places)
    out = std::copy(stored + characters[begins[row]], stored + characters[begins[row + 1]], out);
}

} // namespace kaon::root::podio
