#include <kaon/formats/arrow/StreamRows.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/arrow/ArrayParts.h>
#include <kaon/formats/arrow/NumberConversion.h>
#include <kaon/formats/arrow/StreamReferences.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace kaon::arrow {
namespace {

[[noreturn]] void refuseNull(const StreamColumn& column) {
  throw Error(ErrorKind::usage, column.refusal);
}

bool isAnyPresent(const RowRuns& runs) {
  return std::ranges::any_of(runs,
                             [](const RowRun& run) { return !run.isMissing() && run.size(); });
}

/// Returns the mark of null rows. In these, an optional has no value, and other members have their
/// defaults.
std::uint32_t missingOfNull(const StreamColumn& column) {
  return column.presence.table == Table::none ? column.components + 1 : RowRun::emptyOptional;
}

/// Returns the index at a position of a buffer, which has the column's index type.
std::int64_t indexAt(const StreamColumn& column, const std::byte* buffer, std::size_t place) {
  return withScalar(column.index, [&](auto zero) {
    return static_cast<std::int64_t>(storedAt<decltype(zero)>(buffer, place));
  });
}

/// Returns the row of the dictionary that a row refers to.
std::size_t rowInDictionary(const StreamColumn& column, const ArrowArray& array, std::size_t row) {
  const auto place = indexAt(column, bufferOf(column, array, 1), placeOf(array, row));
  if (!array.dictionary || place < 0 || place >= array.dictionary->length)
    failToFit(column);
  return static_cast<std::size_t>(place);
}

/// Whether a row is null, or its value in the dictionary is null.
bool isMissing(const StreamColumn& column, const ArrowArray& array, std::size_t row) {
  return isNull(array, row) || (column.isDictionary && array.dictionary &&
                                isNull(*array.dictionary, rowInDictionary(column, array, row)));
}

/// Whether the array or its dictionary may have nulls.
bool mayBeMissing(const StreamColumn& column, const ArrowArray& array) {
  return mayHaveNulls(array) ||
         (column.isDictionary && array.dictionary && mayHaveNulls(*array.dictionary));
}

/// Returns the rows with nulls marked as missing.
RowRuns withoutNulls(const StreamColumn& column, const ArrowArray& array, const RowRuns& given) {
  RowRuns runs;
  for (const RowRun& run : given) {
    if (run.isMissing()) {
      append(runs, run);
      continue;
    }
    for (std::size_t row = run.first; row < run.last; ++row) {
      const bool isWithout = isMissing(column, array, row);
      if (isWithout && column.nulls == Nulls::refuse)
        refuseNull(column);
      append(runs, {row, row + 1, isWithout ? missingOfNull(column) : 0});
    }
  }
  return runs;
}

/// Returns the string of a row in an array of strings.
std::string_view textIn(const StreamColumn& column, const ArrowArray& array, std::size_t row) {
  if (column.format != 'v') {
    const RowRun characters = elementsOf(column, array, row);
    if (characters.size() == 0)
      return {};
    const std::byte* const begin = bufferOf(column, array, column.size > 0 ? 1 : 2);
    const auto* const text = detail::valuesAt<char>(begin);
    return {text + characters.first, characters.size()};
  }
  // A view has the size of the string, then the characters, or the buffer and offset of the
  // characters.
  constexpr std::size_t viewBytes = 16;
  constexpr std::int32_t shortest = 12;
  const std::byte* const view = bufferOf(column, array, 1) + placeOf(array, row) * viewBytes;
  const auto size = storedAt<std::int32_t>(view, 0);
  if (size < 0)
    failToFit(column);
  if (size <= shortest)
    return {detail::valuesAt<char>(view) + 4, static_cast<std::size_t>(size)};
  const auto buffer = storedAt<std::int32_t>(view, 2);
  const auto begin = storedAt<std::int32_t>(view, 3);
  if (buffer < 0 || begin < 0)
    failToFit(column);
  const auto* const text = detail::valuesAt<char>(bufferOf(column, array, 2 + buffer));
  return {text + begin, static_cast<std::size_t>(size)};
}

/// Returns the string of a row in an array of strings, or in the array's dictionary.
std::string_view textAt(const StreamColumn& column, const ArrowArray& array, std::size_t row) {
  if (!column.isDictionary)
    return textIn(column, array, row);
  const std::size_t index = rowInDictionary(column, array, row);
  return isNull(*array.dictionary, index) ? "" : textIn(column, *array.dictionary, index);
}

/// Reads the numbers of an array, where some can be null.
class NumberReader {
public:
  NumberReader(const StreamColumn& column, const ArrowArray& array)
      : m_column(column), m_array(array),
        m_values(column.isDictionary && array.dictionary ? *array.dictionary : array),
        m_numbers(bufferOf(column, m_values, 1)) {}

  /// Returns the values of a run if they are plain numbers of the table's type without nulls;
  /// otherwise null.
  [[nodiscard]] const std::byte* plain(const RowRun& run) const {
    const bool isPlain = m_column.number.form == NumberForm::plain && !m_column.isDictionary &&
                         m_column.number.type == m_column.type;
    return isPlain && !mayHaveNulls(m_array) ? at(run.first) : nullptr;
  }
  void read(const RowRun& run, std::byte* out) const {
    const std::size_t size = sizeOf(m_column.type);
    const bool isPlain = m_column.number.form == NumberForm::plain && !m_column.isDictionary;
    if (isPlain && !mayHaveNulls(m_array)) {
      convertNumbers(m_column.number.type, at(run.first), run.size(), m_column.type, out,
                     m_column.name);
      return;
    }
    for (std::size_t row = run.first; row < run.last; ++row, out += size)
      readOne(row, out);
  }

private:
  [[nodiscard]] const std::byte* at(std::size_t row) const {
    return m_numbers + placeOf(m_array, row) * m_column.number.bytes;
  }
  void readOne(std::size_t row, std::byte* out) const {
    bool isMissing = isNull(m_array, row);
    std::size_t place = isMissing ? 0 : placeOf(m_array, row);
    if (m_column.isDictionary && !isMissing) {
      const std::size_t index = rowInDictionary(m_column, m_array, row);
      isMissing = isNull(m_values, index);
      place = placeOf(m_values, index);
    }
    std::array<std::byte, sizeof(std::uint64_t)> value{};
    if (!isMissing) {
      m_column.number.store(m_numbers, place, value.data());
      convertNumbers(m_column.number.type, value.data(), 1, m_column.type, out, m_column.name);
      return;
    }
    if (m_column.nulls == Nulls::nan) {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      return convertNumbers(Scalar::Float64, detail::bytesAt(&nan), 1, m_column.type, out,
                            m_column.name);
    }
    refuseNull(m_column);
  }

  const StreamColumn& m_column;
  const ArrowArray& m_array;
  const ArrowArray& m_values;
  const std::byte* m_numbers;
};

/// Appends missing rows of a member.
void appendMissing(const StreamColumn& column, const RowRun& run, MemberRows& out) {
  const std::size_t size = column.size * sizeOf(column.type);
  std::byte* at = out.grow(run.size() * size);
  if (column.missing.empty() || run.missing == RowRun::emptyOptional) {
    std::memset(at, 0, run.size() * size);
    return;
  }
  const std::size_t level = std::min<std::size_t>(run.missing, column.missing.size() / size) - 1;
  for (std::size_t row = 0; row < run.size(); ++row, at += size)
    std::memcpy(at, column.missing.data() + level * size, size);
}

/// Returns the rows as missing rows.
RowRuns allMissing(const RowRuns& given, std::uint32_t missing) {
  RowRuns runs;
  for (const RowRun& run : given)
    append(runs, run.isMissing() ? run : RowRun{0, run.size(), missing});
  return runs;
}

} // namespace

StreamRows::StreamRows(StreamPlan plan)
    : m_plan(std::move(plan)), m_batch(m_plan.schema, 0, 0),
      m_rows(m_plan.schema.size() + m_plan.reads) {}

const Batch& StreamRows::batch(const ArrowArray& entries) {
  if (entries.length < 0)
    fail(ErrorKind::usage, "a stream's array is not of the stream's type");
  clear();
  const auto count = static_cast<std::size_t>(entries.length);
  const StreamColumn whole{.nulls = Nulls::refuse, .refusal = "entries have missing values"};
  (void)withoutNulls(whole, entries, mayHaveNulls(entries) ? RowRuns{{0, count}} : RowRuns{});
  for (const StreamColumn& column : m_plan.columns) {
    if (static_cast<std::int64_t>(column.field) >= entries.n_children)
      fail(ErrorKind::usage, "a stream's array is not of the stream's type");
    const ArrowArray& field = *entries.children[column.field];
    put(column, &field, {runBelow(column, entries, field, {0, count}, 1)});
  }
  for (const TableNumber root : m_plan.absent) {
    m_rows[root].offsets.assign(count + 1, 0);
    m_rows[root].present.assign(count, std::byte{0});
  }
  resolveReferences(m_plan, m_names, m_rows, count);
  return view(count);
}

const Batch& StreamRows::emptyBatch() {
  clear();
  return view(0);
}

void StreamRows::clear() {
  for (std::uint32_t number = 0; number < m_rows.size(); ++number) {
    TableRows& rows = m_rows[number];
    const bool isTable = number < schema().size();
    rows.offsets.assign(1, 0);
    rows.present.clear();
    rows.members.resize(isTable ? schema().table(number).members.size() : std::size(readTypes));
    for (MemberRows& member : rows.members)
      member.clear();
  }
  m_names.clear();
  m_numbersOfNames.clear();
}

const Batch& StreamRows::view(std::size_t entries) {
  m_batch.setRange(0, entries);
  for (TableNumber number = 0; number < schema().size(); ++number)
    viewTable(number);
  return m_batch;
}

void StreamRows::viewTable(std::uint32_t number) {
  const Table info = schema().table(number);
  const TableRows& rows = m_rows[number];
  TableView& table = m_batch.table(number);
  table.rows = info.isCounted() ? rows.offsets.back()
               : info.isRoot()  ? m_batch.entries()
                                : m_batch.table(info.parent).rows;
  if (info.isCounted())
    table.offsets = rows.offsets;
  table.present = rows.present;
  table.members.clear();
  for (std::size_t member = 0; member < rows.members.size(); ++member) {
    const std::byte* const values = rows.members[member].data();
    table.members.push_back({values ? values : &detail::noValues, info.members[member].size()});
  }
}

void StreamRows::put(const StreamColumn& column, const ArrowArray* array, const RowRuns& given) {
  RowRuns own;
  const RowRuns* runs = &given;
  const bool isNull = array && column.isNull;
  if (isNull && column.nulls == Nulls::refuse && isAnyPresent(given))
    refuseNull(column);
  if (array && !isNull && column.kind == ColumnKind::runs)
    return putEnds(column, *array, given);
  if (!array || isNull) {
    own = allMissing(given, isNull ? missingOfNull(column) : column.components + 1);
    runs = &own;
    array = nullptr;
  }
  if (column.presence.table != Table::none)
    putPresence(column, array, *runs);
  if (array && column.nulls != Nulls::nan && mayBeMissing(column, *array)) {
    own = withoutNulls(column, *array, given);
    runs = &own;
  }
  if (!column.lacks.empty() && isAnyPresent(*runs))
    throw Error(ErrorKind::usage, column.lacks);
  switch (column.kind) {
  case ColumnKind::numbers:
    return putNumbers(column, array, *runs);
  case ColumnKind::record:
    return putRecord(column, array, *runs);
  case ColumnKind::elements:
    return putArray(column, array, *runs);
  case ColumnKind::list:
    return putList(column, array, *runs);
  case ColumnKind::single:
    return putSingle(column, array, *runs);
  case ColumnKind::text:
    return putText(column, array, *runs);
  case ColumnKind::runs:
    return put(column.children.front(), nullptr, *runs);
  case ColumnKind::collectionName:
    return putNames(column, array, *runs);
  }
}

void StreamRows::putNumbers(const StreamColumn& column, const ArrowArray* array,
                            const RowRuns& runs) {
  for (const RowRun& run : runs)
    if (run.isMissing())
      appendMissing(column, run, membersOf(column));
    else
      putElements(column, *array, run, runs.size() == 1);
}

/// Appends the numbers of rows. A row can have an array of numbers.
void StreamRows::putElements(const StreamColumn& column, const ArrowArray& array, RowRun run,
                             bool isOnly) {
  const ArrowArray* values = &array;
  for (std::size_t level = 0; level < column.levels.size(); ++level) {
    const ArrayLevel& lists = column.levels[level];
    if (level > 0 || column.nulls == Nulls::nan)
      for (std::size_t row = run.first; row < run.last && mayHaveNulls(*values); ++row)
        if (isNull(*values, row))
          refuseNull(column);
    const ArrowArray& child = childOf(column, *values);
    if (lists.format == 'w') {
      run = runBelow(column, *values, child, run, lists.size);
    } else {
      StreamColumn offsets{.name = column.name, .format = lists.format};
      RowRun elements;
      for (std::size_t row = run.first; row < run.last; ++row) {
        const RowRun inside = elementsOf(offsets, *values, row);
        if (inside.size() != lists.size)
          throw Error(ErrorKind::usage, column.shapeMistake);
        elements = {row == run.first ? inside.first : elements.first, inside.last};
      }
      run = elements;
      if (run.last > static_cast<std::size_t>(child.length))
        failToFit(column);
    }
    values = &child;
  }
  if (run.size() == 0)
    return;
  const NumberReader reader(column, *values);
  MemberRows& out = membersOf(column);
  const std::size_t size = sizeOf(column.type);
  const std::byte* const plain = isOnly ? reader.plain(run) : nullptr;
  if (plain && detail::addressOf(plain) % size == 0)
    out.view(plain);
  else
    reader.read(run, out.grow(run.size() * size));
}

void StreamRows::putPresence(const StreamColumn& column, const ArrowArray* array,
                             const RowRuns& given) {
  MemberRows& out = m_rows[column.presence.table].members[column.presence.member];
  for (const RowRun& run : given) {
    std::byte* at = out.grow(run.size());
    if (run.isMissing()) {
      const auto& values = column.missingPresence;
      const std::byte value = run.missing <= values.size() ? values[run.missing - 1] : std::byte{};
      std::memset(at, std::to_integer<int>(value), run.size());
    } else {
      for (std::size_t row = run.first; row < run.last; ++row)
        *at++ = static_cast<std::byte>(!isMissing(column, *array, row));
    }
  }
}

void StreamRows::putRecord(const StreamColumn& column, const ArrowArray* array,
                           const RowRuns& runs) {
  for (const StreamColumn& child : column.children) {
    if (!array || child.field == Table::none) {
      put(child, nullptr, runs);
      continue;
    }
    const ArrowArray& values = childOf(column, *array, child.field);
    RowRuns below;
    for (const RowRun& run : runs)
      below.push_back(run.isMissing() ? run : runBelow(column, *array, values, run, 1));
    put(child, &values, below);
  }
}

/// Appends the elements of arrays of structs: the first elements of all arrays, then the second
/// elements, and so on.
void StreamRows::putArray(const StreamColumn& column, const ArrowArray* array,
                          const RowRuns& runs) {
  if (!array) {
    for (const StreamColumn& child : column.children)
      put(child, nullptr, runs);
    return;
  }
  const ArrowArray& values = childOf(column, *array);
  const StreamColumn offsets{.name = column.name,
                             .size = column.levels.front().format == 'w' ? column.size : 0,
                             .format = column.levels.front().format};
  std::vector<RowRuns> elements(column.children.size());
  for (const RowRun& run : runs) {
    if (run.isMissing()) {
      for (RowRuns& each : elements)
        append(each, run);
      continue;
    }
    for (std::size_t row = run.first; row < run.last; ++row) {
      const RowRun inside = elementsOf(offsets, *array, row);
      if (inside.size() != column.size)
        throw Error(ErrorKind::usage, column.shapeMistake);
      if (inside.last > static_cast<std::size_t>(values.length))
        failToFit(column);
      for (std::size_t i = 0; i < elements.size(); ++i)
        append(elements[i], {inside.first + i, inside.first + i + 1});
    }
  }
  for (std::size_t i = 0; i < elements.size(); ++i)
    put(column.children[i], &values, elements[i]);
}

void StreamRows::endRow(const StreamColumn& column, std::size_t rows) {
  auto& offsets = m_rows[column.table].offsets;
  if (rows > std::numeric_limits<std::uint32_t>::max() - offsets.back())
    fail(ErrorKind::usage, "'", column.name,
         "' has more rows in one piece of the stream than 32 bits can count: give smaller pieces");
  offsets.push_back(offsets.back() + static_cast<std::uint32_t>(rows));
}

void StreamRows::setPresent(const StreamColumn& column, std::size_t rows, bool isPresent) {
  if (column.canBeAbsent) {
    auto& present = m_rows[column.table].present;
    present.insert(present.end(), rows, static_cast<std::byte>(isPresent));
  }
}

void StreamRows::putEmpty(const StreamColumn& column, std::size_t rows) {
  setPresent(column, rows, false);
  auto& offsets = m_rows[column.table].offsets;
  offsets.insert(offsets.end(), rows, offsets.back());
}

void StreamRows::putList(const StreamColumn& column, const ArrowArray* array, const RowRuns& runs) {
  const ArrowArray* const child = array ? &childOf(column, *array) : nullptr;
  RowRuns inside;
  for (const RowRun& run : runs) {
    if (run.isMissing()) {
      putEmpty(column, run.size());
      continue;
    }
    setPresent(column, run.size(), true);
    for (std::size_t row = run.first; row < run.last; ++row) {
      const RowRun elements = elementsOf(column, *array, row);
      if (elements.last > static_cast<std::size_t>(child->length))
        failToFit(column);
      endRow(column, elements.size());
      append(inside, elements);
    }
  }
  put(column.children.front(), child, inside);
}

void StreamRows::putSingle(const StreamColumn& column, const ArrowArray* array,
                           const RowRuns& runs) {
  RowRuns inside;
  for (const RowRun& run : runs) {
    if (run.isMissing()) {
      putEmpty(column, run.size());
      continue;
    }
    setPresent(column, run.size(), true);
    for (std::size_t row = run.first; row < run.last; ++row)
      endRow(column, 1);
    append(inside, run);
  }
  put(column.children.front(), array, inside);
}

void StreamRows::putText(const StreamColumn& column, const ArrowArray* array, const RowRuns& runs) {
  MemberRows& out = m_rows[column.table].members.front();
  const bool isInOrder = !column.isDictionary && column.format != 'v';
  for (const RowRun& run : runs) {
    if (run.isMissing()) {
      putEmpty(column, run.size());
      continue;
    }
    setPresent(column, run.size(), true);
    if (isInOrder && runs.size() == 1 && run.size() > 0) {
      for (std::size_t row = run.first; row < run.last; ++row)
        endRow(column, elementsOf(column, *array, row).size());
      const RowRun begin = elementsOf(column, *array, run.first);
      const RowRun end = elementsOf(column, *array, run.last - 1);
      if (end.last > begin.first)
        out.view(bufferOf(column, *array, column.size > 0 ? 1 : 2) + begin.first);
      continue;
    }
    for (std::size_t row = run.first; row < run.last; ++row) {
      const std::string_view text = textAt(column, *array, row);
      if (!text.empty())
        std::memcpy(out.grow(text.size()), text.data(), text.size());
      endRow(column, text.size());
    }
  }
}

/// Appends run-length encoded values. The child has a row for each run.
void StreamRows::putEnds(const StreamColumn& column, const ArrowArray& array,
                         const RowRuns& given) {
  const ArrowArray& ends = childOf(column, array, 0);
  const ArrowArray& values = childOf(column, array, 1);
  const std::byte* const endsOf = bufferOf(column, ends, 1);
  const auto count = static_cast<std::size_t>(std::min(ends.length, values.length));
  const auto endOf = [&](std::size_t run) {
    return static_cast<std::size_t>(indexAt(column, endsOf, placeOf(ends, run)));
  };
  RowRuns rows;
  std::size_t at = 0;
  for (const RowRun& run : given) {
    if (run.isMissing()) {
      append(rows, run);
      continue;
    }
    for (std::size_t row = run.first; row < run.last; ++row) {
      const std::size_t place = placeOf(array, row);
      if (at > 0 && place < endOf(at - 1)) // the row is in an earlier run
        at = 0;
      while (at < count && endOf(at) <= place)
        ++at;
      if (at == count)
        failToFit(column);
      append(rows, {at, at + 1});
    }
  }
  put(column.children.front(), &values, rows);
}

std::uint32_t StreamRows::numberOfName(std::string_view name) {
  if (name.empty())
    return noName;
  const auto number = static_cast<std::uint32_t>(m_numbersOfNames.size());
  const auto [known, isNew] = m_numbersOfNames.try_emplace(name, number);
  if (isNew)
    m_names.emplace_back(name);
  return known->second;
}

/// Appends the numbers of collections' names.
void StreamRows::putNames(const StreamColumn& column, const ArrowArray* array,
                          const RowRuns& runs) {
  MemberRows& out = membersOf(column);
  constexpr std::uint32_t unseen = noName - 1;
  std::vector<std::uint32_t> ofDictionary; // by place
  if (array && column.isDictionary && array->dictionary)
    ofDictionary.resize(
        static_cast<std::size_t>(std::max<std::int64_t>(array->dictionary->length, 0)), unseen);
  for (const RowRun& run : runs) {
    std::byte* at = out.grow(run.size() * sizeof(std::uint32_t));
    for (std::size_t row = run.first; row < run.last; ++row, at += sizeof(std::uint32_t)) {
      std::uint32_t number = noName;
      if (!run.isMissing() && column.isDictionary) {
        std::uint32_t& known = ofDictionary[rowInDictionary(column, *array, row)];
        if (known == unseen)
          known = numberOfName(textAt(column, *array, row));
        number = known;
      } else if (!run.isMissing()) {
        number = numberOfName(textAt(column, *array, row));
      }
      std::memcpy(at, &number, sizeof number);
    }
  }
}

} // namespace kaon::arrow
