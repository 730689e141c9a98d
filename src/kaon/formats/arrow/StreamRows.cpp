#include <kaon/formats/arrow/StreamRows.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace kaon::arrow {
namespace {

Schema schemaOf(const std::vector<TableDefinition>& tables) {
  Schema schema;
  for (const TableDefinition& table : tables)
    schema.add(table);
  return schema;
}

/// Places in an array, as it counts them: its own offset is not in them.
std::size_t placeOf(const ArrowArray& array, std::size_t row) {
  return static_cast<std::size_t>(array.offset) + row;
}

[[noreturn]] void failToFit(const StreamColumn& column) {
  fail(ErrorKind::usage, "the parts of the array of '", column.name, "' do not fit each other");
}

/// A buffer, which there is unless the array is empty.
const std::byte* bufferOf(const StreamColumn& column, const ArrowArray& array,
                          std::int64_t number) {
  if (array.length < 0 || array.offset < 0 || number >= array.n_buffers ||
      (!array.buffers[number] && array.length > 0))
    failToFit(column);
  return static_cast<const std::byte*>(array.buffers[number]);
}

template <class T>
T valueAt(const std::byte* buffer, std::size_t place) {
  T value;
  std::memcpy(&value, buffer + place * sizeof(T), sizeof value);
  return value;
}

bool bitAt(const std::byte* buffer, std::size_t place) {
  return (std::to_integer<unsigned>(buffer[place / 8]) >> (place % 8) & 1) != 0;
}

bool isNull(const ArrowArray& array, std::size_t row) {
  return array.null_count != 0 && array.n_buffers > 0 && array.buffers[0] &&
         !bitAt(static_cast<const std::byte*>(array.buffers[0]), placeOf(array, row));
}

/// What stands for a number that is null: NaN, where it is not a value that nobody looks at.
std::uint64_t bitsOfNull(const StreamColumn& column) {
  if (column.isInOptional || !isFloat(column.number.type))
    return 0;
  return column.number.type == Scalar::Float32
             ? std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN())
             : std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
}

[[noreturn]] void failToMiss(const StreamColumn& column) {
  fail(ErrorKind::usage, "'", column.name,
       "' has missing values, which only floats, lists and strings can have: fill them");
}

void checkNotNull(const StreamColumn& column, const ArrowArray& array,
                  const std::vector<detail::RowRange>& runs) {
  if (array.null_count == 0 || column.isInOptional)
    return;
  for (const detail::RowRange& run : runs)
    for (std::size_t row = run.first; row < run.last; ++row)
      if (isNull(array, row))
        failToMiss(column);
}

const ArrowArray& childOf(const StreamColumn& column, const ArrowArray& array,
                          std::size_t number = 0) {
  if (static_cast<std::int64_t>(number) >= array.n_children)
    failToFit(column);
  return *array.children[number];
}

/// Returns the rows of an inner array, where `size` rows belong to each outer row.
std::vector<detail::RowRange> runsBelow(const StreamColumn& column, const ArrowArray& array,
                                        const ArrowArray& child,
                                        const std::vector<detail::RowRange>& runs,
                                        std::size_t size) {
  std::vector<detail::RowRange> below;
  for (const detail::RowRange& run : runs) {
    below.push_back({placeOf(array, run.first) * size, placeOf(array, run.last) * size});
    if (run.size() > 0 && below.back().last > static_cast<std::size_t>(child.length))
      failToFit(column);
  }
  return below;
}

/// Where what lies under a row of lists or strings begins and ends.
detail::RowRange elementsOf(const StreamColumn& column, const ArrowArray& array, std::size_t row) {
  const std::size_t place = placeOf(array, row);
  if (column.size > 0)
    return {place * column.size, (place + 1) * column.size};
  const std::byte* const offsets = bufferOf(column, array, 1);
  const bool isLarge = column.format == 'L' || column.format == 'U';
  const auto at = [&](std::size_t i) -> std::int64_t {
    return isLarge ? valueAt<std::int64_t>(offsets, i) : valueAt<std::int32_t>(offsets, i);
  };
  const std::int64_t first = at(place);
  const std::int64_t last = at(place + 1);
  if (first < 0 || last < first)
    failToFit(column);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

/// An index of the column's type.
std::int64_t indexAt(const StreamColumn& column, const std::byte* buffer, std::size_t place) {
  return withScalar(column.index, [&](auto zero) {
    return static_cast<std::int64_t>(valueAt<decltype(zero)>(buffer, place));
  });
}

/// The row of the dictionary that a row has the place of.
std::size_t rowInDictionary(const StreamColumn& column, const ArrowArray& array, std::size_t row) {
  const auto place = indexAt(column, bufferOf(column, array, 1), placeOf(array, row));
  if (!array.dictionary || place < 0 || place >= array.dictionary->length)
    failToFit(column);
  return static_cast<std::size_t>(place);
}

/// A string in an array of them, or in the dictionary that it has places of.
std::string_view textAt(const StreamColumn& column, const ArrowArray& array, std::size_t row) {
  if (column.isDictionary) {
    StreamColumn values{.kind = ColumnKind::text,
                        .name = column.name,
                        .size = column.size,
                        .format = column.format};
    const std::size_t index = rowInDictionary(column, array, row);
    return isNull(*array.dictionary, index) ? "" : textAt(values, *array.dictionary, index);
  }
  if (column.format != 'v') {
    const detail::RowRange characters = elementsOf(column, array, row);
    if (characters.size() == 0)
      return {};
    const std::byte* const begin = bufferOf(column, array, column.size > 0 ? 1 : 2);
    const auto* const text = reinterpret_cast<const char*>(begin);
    return {text + characters.first, characters.size()};
  }
  // A view: its size, and the characters, or which buffer has them and where.
  constexpr std::size_t viewBytes = 16;
  constexpr std::int32_t shortest = 12;
  const std::byte* const view = bufferOf(column, array, 1) + placeOf(array, row) * viewBytes;
  const auto size = valueAt<std::int32_t>(view, 0);
  if (size < 0)
    failToFit(column);
  if (size <= shortest)
    return {reinterpret_cast<const char*>(view) + 4, static_cast<std::size_t>(size)};
  const auto buffer = valueAt<std::int32_t>(view, 2);
  const auto begin = valueAt<std::int32_t>(view, 3);
  if (buffer < 0 || begin < 0)
    failToFit(column);
  const auto* const text = reinterpret_cast<const char*>(bufferOf(column, array, 2 + buffer));
  return {text + begin, static_cast<std::size_t>(size)};
}

} // namespace

StreamRows::StreamRows(StreamTables tables)
    : m_tables(std::move(tables)), m_schema(schemaOf(m_tables.tables)), m_batch(m_schema, 0, 0),
      m_rows(m_schema.size()) {}

const Batch& StreamRows::batch(const ArrowArray& entries) {
  if (entries.length < 0 || static_cast<std::size_t>(entries.n_children) != m_tables.columns.size())
    fail(ErrorKind::usage, "a stream's array is not of the stream's type");
  clear();
  const auto count = static_cast<std::size_t>(entries.length);
  StreamColumn whole{.name = "entries"};
  checkNotNull(whole, entries, {{0, count}});
  for (std::size_t i = 0; i < m_tables.columns.size(); ++i) {
    const ArrowArray& field = *entries.children[i];
    put(m_tables.columns[i], field,
        runsBelow(m_tables.columns[i], entries, field, {{0, count}}, 1));
  }
  return view(count);
}

const Batch& StreamRows::emptyBatch() {
  clear();
  return view(0);
}

void StreamRows::clear() {
  for (std::uint32_t number = 0; number < m_rows.size(); ++number) {
    m_rows[number] = {.offsets = {0}};
    m_rows[number].members.resize(m_schema.table(number).members.size());
  }
}

const Batch& StreamRows::view(std::size_t entries) {
  m_batch.setRange(0, entries);
  for (std::uint32_t number = 0; number < m_rows.size(); ++number)
    viewTable(number);
  return m_batch;
}

void StreamRows::viewTable(std::uint32_t number) {
  const Table info = m_schema.table(number);
  Rows& rows = m_rows[number];
  TableView& table = m_batch.table(number);
  table.rows = info.isCounted() ? rows.offsets.back()
               : info.isRoot()  ? m_batch.entries()
                                : m_batch.table(info.parent).rows;
  if (info.isCounted())
    table.offsets = rows.offsets;
  table.present = rows.present;
  if (info.kind == TableKind::oneRelation || info.kind == TableKind::manyRelation)
    checkReferences(number);
  table.members.clear();
  for (std::size_t member = 0; member < rows.members.size(); ++member) {
    const Buffer& values = rows.members[member];
    table.members.push_back(
        {values.empty() ? &detail::noValues : values.data(), info.members[member].size()});
  }
}

/// Those to nothing name no collection, all others do.
void StreamRows::checkReferences(std::uint32_t number) {
  auto& members = m_rows[number].members;
  const auto* const index =
      reinterpret_cast<const std::int32_t*>(members[detail::relationIndex].data());
  auto* const collection =
      reinterpret_cast<std::uint32_t*>(members[detail::relationCollection].data());
  const std::size_t count = members[detail::relationIndex].size() / sizeof(std::int32_t);
  for (std::size_t i = 0; i < count; ++i)
    if (index[i] < 0)
      collection[i] = 0;
    else if (collection[i] == Table::none)
      fail(ErrorKind::usage, "'", m_schema.table(number).name,
           "' has a reference to an object whose collection is not named");
}

void StreamRows::put(const StreamColumn& column, const ArrowArray& array, const Runs& runs) {
  if (column.hasValue != Table::none)
    putWhetherThere(column, array, runs);
  switch (column.kind) {
  case ColumnKind::numbers:
    return putNumbers(column, array, runs);
  case ColumnKind::record:
    return putRecord(column, array, runs);
  case ColumnKind::elements:
    return putElements(column, array, runs);
  case ColumnKind::list:
    return putList(column, array, runs);
  case ColumnKind::text:
    return putText(column, array, runs);
  case ColumnKind::runs:
    return putRuns(column, array, runs);
  case ColumnKind::collectionName:
    return putCollectionNames(column, array, runs);
  }
}

void StreamRows::putNumbers(const StreamColumn& column, const ArrowArray& array, const Runs& runs) {
  if (!column.nesting.empty()) {
    checkNotNull(column, array, runs);
    StreamColumn elements = column;
    elements.nesting.erase(elements.nesting.begin());
    const ArrowArray& child = childOf(column, array);
    return putNumbers(elements, child,
                      runsBelow(column, array, child, runs, column.nesting.front()));
  }
  const ArrowArray& values = column.isDictionary && array.dictionary ? *array.dictionary : array;
  const std::byte* const numbers = bufferOf(column, values, 1);
  const bool isPlain = column.number.form == NumberForm::plain && !column.isDictionary;
  Buffer& out = m_rows[column.table].members[column.member];
  const std::size_t size = sizeOf(column.number.type);
  const std::uint64_t null = bitsOfNull(column);
  for (const detail::RowRange& run : runs) {
    std::byte* at = out.grow(run.size() * size);
    if (isPlain && run.size() > 0)
      std::memcpy(at, numbers + placeOf(array, run.first) * size, run.size() * size);
    if (isPlain && array.null_count == 0)
      continue;
    for (std::size_t row = run.first; row < run.last; ++row, at += size) {
      bool isMissing = isNull(array, row);
      std::size_t place = isMissing ? 0 : placeOf(array, row);
      if (column.isDictionary && !isMissing) {
        const std::size_t index = rowInDictionary(column, array, row);
        isMissing = isNull(values, index);
        place = placeOf(values, index);
      }
      if (!isMissing && !isPlain)
        column.number.store(numbers, place, at);
      if (!isMissing)
        continue;
      if (!isFloat(column.number.type) && !column.isInOptional)
        failToMiss(column);
      std::memcpy(at, &null, size); // whatever lies there
    }
  }
}

void StreamRows::putWhetherThere(const StreamColumn& column, const ArrowArray& array,
                                 const Runs& runs) {
  Buffer& out = m_rows[column.table].members[column.hasValue];
  for (const detail::RowRange& run : runs)
    for (std::size_t row = run.first; row < run.last; ++row)
      *out.grow(1) = static_cast<std::byte>(!isNull(array, row));
}

void StreamRows::putRecord(const StreamColumn& column, const ArrowArray& array, const Runs& runs) {
  checkNotNull(column, array, runs);
  for (std::size_t i = 0; i < column.children.size(); ++i) {
    const ArrowArray& child = childOf(column, array, i);
    put(column.children[i], child, runsBelow(column, array, child, runs, 1));
  }
}

void StreamRows::putElements(const StreamColumn& column, const ArrowArray& array,
                             const Runs& runs) {
  checkNotNull(column, array, runs);
  const ArrowArray& child = childOf(column, array);
  (void)runsBelow(column, array, child, runs, column.size); // which checks that they are there
  for (std::size_t i = 0; i < column.children.size(); ++i) {
    Runs elements;
    for (const detail::RowRange& run : runs)
      for (std::size_t row = run.first; row < run.last; ++row) {
        const std::size_t place = placeOf(array, row) * column.size + i;
        elements.push_back({place, place + 1});
      }
    put(column.children[i], child, elements);
  }
}

void StreamRows::endRow(const StreamColumn& column, std::size_t rows) {
  auto& offsets = m_rows[column.table].offsets;
  if (rows > std::numeric_limits<std::uint32_t>::max() - offsets.back())
    fail(ErrorKind::usage, "'", column.name,
         "' has more rows in one piece of the stream than 32 bits can count: give smaller pieces");
  offsets.push_back(offsets.back() + static_cast<std::uint32_t>(rows));
}

void StreamRows::setPresent(const StreamColumn& column, bool isPresent) {
  if (column.canBeAbsent)
    m_rows[column.table].present.push_back(static_cast<std::byte>(isPresent));
}

void StreamRows::putList(const StreamColumn& column, const ArrowArray& array, const Runs& runs) {
  const ArrowArray& child = childOf(column, array);
  Runs inside;
  for (const detail::RowRange& run : runs)
    for (std::size_t row = run.first; row < run.last; ++row) {
      const bool isThere = !isNull(array, row);
      setPresent(column, isThere);
      const detail::RowRange elements =
          isThere ? elementsOf(column, array, row) : detail::RowRange{};
      if (elements.last > static_cast<std::size_t>(child.length))
        failToFit(column);
      endRow(column, elements.size());
      if (elements.size() == 0)
        continue;
      if (!inside.empty() && inside.back().last == elements.first)
        inside.back().last = elements.last;
      else
        inside.push_back(elements);
    }
  put(column.children.front(), child, inside);
}

void StreamRows::putText(const StreamColumn& column, const ArrowArray& array, const Runs& runs) {
  Buffer& out = m_rows[column.table].members.front();
  for (const detail::RowRange& run : runs)
    for (std::size_t row = run.first; row < run.last; ++row) {
      const bool isThere = !isNull(array, row);
      const std::string_view text = isThere ? textAt(column, array, row) : "";
      setPresent(column, isThere);
      out.append(std::as_bytes(std::span(text)));
      endRow(column, text.size());
    }
}

void StreamRows::putRuns(const StreamColumn& column, const ArrowArray& array, const Runs& runs) {
  const ArrowArray& ends = childOf(column, array, 0);
  const ArrowArray& values = childOf(column, array, 1);
  const std::byte* const endsOf = bufferOf(column, ends, 1);
  const auto count = static_cast<std::size_t>(std::min(ends.length, values.length));
  const auto endOf = [&](std::size_t run) {
    return static_cast<std::size_t>(indexAt(column, endsOf, placeOf(ends, run)));
  };
  Runs rows;
  std::size_t at = 0;
  for (const detail::RowRange& run : runs)
    for (std::size_t row = run.first; row < run.last; ++row) {
      const std::size_t place = placeOf(array, row);
      if (at > 0 && place < endOf(at - 1)) // it lies further back
        at = 0;
      while (at < count && endOf(at) <= place)
        ++at;
      if (at == count)
        failToFit(column);
      rows.push_back({at, at + 1});
    }
  put(column.children.front(), values, rows);
}

/// The number of the collection that is called so; the whole stream has it or not.
std::uint32_t StreamRows::collectionNamed(std::string_view name, const StreamColumn& column) {
  const std::uint32_t number = m_schema.findCollection(name);
  if (number == Table::none)
    fail(ErrorKind::usage, "'", column.name, "' refers to '", name,
         "', which is not a collection of the stream");
  return number;
}

void StreamRows::putCollectionNames(const StreamColumn& column, const ArrowArray& array,
                                    const Runs& runs) {
  Buffer& out = m_rows[column.table].members[column.member];
  std::string_view last;
  std::uint32_t number = 0;
  for (const detail::RowRange& run : runs)
    for (std::size_t row = run.first; row < run.last; ++row) {
      const std::string_view name = isNull(array, row) ? "" : textAt(column, array, row);
      if (!name.empty() && name != last) {
        number = collectionNamed(name, column);
        last = name;
      }
      const std::uint32_t collection = name.empty() ? Table::none : number;
      out.append(std::as_bytes(std::span(&collection, 1)));
    }
}

} // namespace kaon::arrow
