#include <kaon/expression/Lists.h>

#include <kaon/base/Error.h>
#include <kaon/base/ShortRuns.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

namespace kaon::expression {
namespace {

using Offsets = std::span<const std::uint32_t>;

/// More values than this are not made of a batch's lists: it would be a mistake, or take all
/// memory.
constexpr std::uint64_t mostRows = std::uint64_t{1} << 25U;

std::size_t listsIn(Offsets offsets) { return offsets.empty() ? 0 : offsets.size() - 1; }

Offsets innermost(const Operand& lists) { return lists.values.offsets[lists.type.depth - 1]; }

/// The entry in which a list of a level (0: an entry itself) lies.
std::size_t entryOf(const Operand& lists, unsigned level, std::size_t list) {
  while (level-- > 0) {
    const Offsets offsets = lists.values.offsets[level];
    list = static_cast<std::size_t>(std::ranges::upper_bound(offsets, list) - offsets.begin()) - 1;
  }
  return list;
}

/// Where the values of a column that lie in one list of a level begin and end.
std::pair<std::size_t, std::size_t> valuesIn(const Operand& column, unsigned level,
                                             std::size_t begin, std::size_t end) {
  for (unsigned below = level; below < column.type.depth; ++below) {
    begin = column.values.offsets[below][begin];
    end = column.values.offsets[below][end];
  }
  return {begin, end};
}

ColumnValues view(const void* values, std::size_t size) {
  return {static_cast<const std::byte*>(values), size};
}

ColumnValues withOuter(ColumnValues result, const ColumnValues& lists, unsigned levels) {
  std::copy_n(lists.offsets.begin(), levels, result.offsets.begin());
  return result;
}

// ---- Of each list one value ----

template <class T, class R, class F>
ColumnValues reduce(const ListStep& step, Storage& storage, F ofList) {
  const Operand& lists = step.operands[0];
  const Offsets offsets = innermost(lists);
  const T* const values = lists.values.as<T>().data();
  const std::size_t count = listsIn(offsets);
  R* const __restrict result = storage.assignValues<R>(count);
  for (std::size_t list = 0; list < count; ++list)
    result[list] =
        static_cast<R>(ofList(values + offsets[list], offsets[list + 1] - offsets[list]));
  return withOuter(view(result, count), lists.values, lists.type.depth - 1);
}

/// How many of each list's bools hold. A running count and its differences at the lists' ends take
/// no branch that a processor could foresee wrongly, as a loop over each short list would.
template <class R, class F>
ColumnValues reduceBools(const ListStep& step, Storage& storage, F ofCount) {
  const Operand& lists = step.operands[0];
  const Offsets offsets = innermost(lists);
  const std::size_t count = listsIn(offsets), size = lists.values.size;
  const auto* const values = lists.values.as<std::uint8_t>().data();
  // Behind the result, as it has to be somewhere.
  auto* const running = storage.assignOffsets(mostListLevels - 1, size);
  std::uint32_t sum = 0;
  running[0] = 0;
  for (std::size_t i = 0; i < size; ++i)
    running[i + 1] = sum += values[i];
  R* const __restrict result = storage.assignValues<R>(count);
  for (std::size_t list = 0; list < count; ++list)
    result[list] = static_cast<R>(ofCount(running[offsets[list + 1]] - running[offsets[list]],
                                          offsets[list + 1] - offsets[list]));
  return withOuter(view(result, count), lists.values, lists.type.depth - 1);
}

template <class T>
double sumOfFloats(const T* values, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    sum += static_cast<double>(values[i]);
  return sum;
}

/// What is less than all others, with NaN the least of all as in NumPy: it shows.
template <class T>
bool isBefore(T a, T b) {
  return a < b || (a != a && b == b);
}
template <class T>
bool isAfter(T a, T b) {
  return a > b || (a != a && b == b);
}

template <class T, class Before>
std::int64_t indexOfFirst(const T* values, std::size_t size, Before before) {
  if (size == 0)
    return -1;
  std::size_t best = 0;
  for (std::size_t i = 1; i < size; ++i)
    if (before(values[i], values[best]))
      best = i;
  return static_cast<std::int64_t>(best);
}

template <class T>
constexpr T greatestOf() {
  if constexpr (std::is_floating_point_v<T>)
    return std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::max();
}
template <class T>
constexpr T leastOf() {
  if constexpr (std::is_floating_point_v<T>)
    return -std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::lowest();
}

template <class T>
ColumnValues sums(const ListStep& step, Storage& storage) {
  if constexpr (std::is_floating_point_v<T>)
    return reduce<T, T>(step, storage, sumOfFloats<T>);
  else
    return reduce<T, std::uint64_t>(step, storage, [](const T* values, std::size_t size) {
      std::uint64_t sum = 0; // signed ones wrap around in the same way
      for (std::size_t i = 0; i < size; ++i)
        sum += static_cast<std::uint64_t>(values[i]);
      return sum;
    });
}

template <class T>
ColumnValues reduceNumbers(const ListStep& step, Storage& storage) {
  switch (step.node.operation) {
  case Operation::sum:
    return sums<T>(step, storage);
  case Operation::mean:
    return reduce<T, double>(step, storage, [](const T* values, std::size_t size) {
      return sumOfFloats(values, size) / static_cast<double>(size);
    });
  case Operation::least:
    return reduce<T, T>(step, storage, [](const T* values, std::size_t size) {
      T least = greatestOf<T>();
      for (std::size_t i = 0; i < size; ++i)
        least = isBefore(values[i], least) ? values[i] : least;
      return least;
    });
  case Operation::greatest:
    return reduce<T, T>(step, storage, [](const T* values, std::size_t size) {
      T greatest = leastOf<T>();
      for (std::size_t i = 0; i < size; ++i)
        greatest = isAfter(values[i], greatest) ? values[i] : greatest;
      return greatest;
    });
  case Operation::indexOfLeast:
    return reduce<T, std::int64_t>(step, storage, [](const T* values, std::size_t size) {
      return indexOfFirst(values, size, isBefore<T>);
    });
  default:
    return reduce<T, std::int64_t>(step, storage, [](const T* values, std::size_t size) {
      return indexOfFirst(values, size, isAfter<T>);
    });
  }
}

ColumnValues reduction(const ListStep& step, Storage& storage) {
  const Operand& lists = step.operands[0];
  const auto size = [](std::uint32_t, std::uint32_t count) { return count; };
  const auto holding = [](std::uint32_t hold, std::uint32_t) { return hold; };
  const bool isBool = lists.type.scalar == Scalar::Bool;
  switch (step.node.operation) {
  case Operation::count: {
    const auto level = static_cast<unsigned>(step.node.parameter);
    const Offsets offsets = lists.values.offsets[level - 1];
    const std::size_t count = listsIn(offsets);
    auto* const result = storage.assignValues<std::int64_t>(count);
    for (std::size_t list = 0; list < count; ++list)
      result[list] = size(0, offsets[list + 1] - offsets[list]);
    return withOuter(view(result, count), lists.values, level - 1);
  }
  case Operation::any:
    return reduceBools<std::uint8_t>(step, storage,
                                     [](std::uint32_t hold, std::uint32_t) { return hold > 0; });
  case Operation::all:
    return reduceBools<std::uint8_t>(
        step, storage, [](std::uint32_t hold, std::uint32_t count) { return hold == count; });
  case Operation::sum:
    if (isBool)
      return reduceBools<std::int64_t>(step, storage, holding);
    break;
  default:
    break;
  }
  return withScalar(lists.type.scalar,
                    [&](auto zero) { return reduceNumbers<decltype(zero)>(step, storage); });
}

// ---- Lists in another order ----

/// NaN is the last, as in NumPy.
template <class T>
bool isSortedBefore(T a, T b) {
  return a < b || (a == a && b != b);
}

template <class T>
ColumnValues sorted(const ListStep& step, Storage& storage) {
  const Operand& lists = step.operands[0];
  const Offsets offsets = innermost(lists);
  T* const result = storage.assignValues<T>(lists.values.size);
  std::ranges::copy(lists.values.as<T>(), result);
  for (std::size_t list = 0; list < listsIn(offsets); ++list)
    std::sort(result + offsets[list], result + offsets[list + 1], isSortedBefore<T>);
  return withOuter(view(result, lists.values.size), lists.values, lists.type.depth);
}

template <class T>
ColumnValues sortedIndices(const ListStep& step, Storage& storage) {
  const Operand& lists = step.operands[0];
  const Offsets offsets = innermost(lists);
  auto* const result = storage.assignValues<std::int64_t>(lists.values.size);
  for (std::size_t list = 0; list < listsIn(offsets); ++list) {
    const T* const values = lists.values.as<T>().data() + offsets[list];
    std::int64_t* const begin = result + offsets[list];
    std::int64_t* const end = result + offsets[list + 1];
    std::iota(begin, end, std::int64_t{0});
    std::sort(begin, end, [values](std::int64_t a, std::int64_t b) {
      return isSortedBefore(values[a], values[b]) ||
             (!isSortedBefore(values[b], values[a]) && a < b); // equal ones stay in order
    });
  }
  return withOuter(view(result, lists.values.size), lists.values, lists.type.depth);
}

ColumnValues indices(const ListStep& step, Storage& storage) {
  const auto level = static_cast<unsigned>(step.node.parameter);
  const ColumnValues& lists = step.operands[0].values;
  const Offsets offsets = lists.offsets[level - 1];
  const std::size_t size = offsets.empty() ? 0 : offsets.back();
  auto* const result = storage.assignValues<std::int64_t>(size);
  for (std::size_t list = 0; list < listsIn(offsets); ++list)
    std::iota(result + offsets[list], result + offsets[list + 1], std::int64_t{0});
  return withOuter(view(result, size), lists, level);
}

/// Whether it has values that nobody asked for; a column without any may be null, too.
bool isListsOnly(const ColumnValues& column) { return column.values == nullptr && column.size > 0; }

/// The values of each entry's list, and behind them those of its other list.
template <class T>
ColumnValues concatenated(const ListStep& step, Storage& storage) {
  const auto& [a, b, unused, none] = step.operands;
  const Offsets left = a.values.offsets[0], right = b.values.offsets[0];
  const std::size_t count = listsIn(left), size = std::size_t{left.back()} + right.back();
  if (size >= rowOfNone)
    fail(ErrorKind::memory, "'", step.text, "' makes lists of ", size, " values of one batch");
  auto* const ends = storage.assignOffsets(0, count);
  for (std::size_t list = 0; list <= count; ++list)
    ends[list] = left[list] + right[list];
  ColumnValues result = view(nullptr, size);
  result.offsets[0] = {ends, count + 1};
  if (isListsOnly(a.values) || isListsOnly(b.values))
    return result;
  T* const values = storage.assignValues<T>(size + shortRunRoom);
  result.values = reinterpret_cast<const std::byte*>(values);
  const auto first = std::as_bytes(a.values.as<T>()), second = std::as_bytes(b.values.as<T>());
  auto* out = reinterpret_cast<std::byte*>(values);
  for (std::size_t list = 0; list < count; ++list) {
    out = appendRun(first, left[list] * sizeof(T), left[list + 1] * sizeof(T), out);
    out = appendRun(second, right[list] * sizeof(T), right[list + 1] * sizeof(T), out);
  }
  return result;
}

// ---- Which rows ----

ColumnValues rowsWhere(const ListStep& step, Storage& storage) {
  const Operand& mask = step.operands[1];
  const unsigned depth = mask.type.depth;
  checkSameLists(step.operands[0], mask, depth, step.entries);
  const Offsets offsets = innermost(mask);
  const auto* const isWanted = mask.values.as<std::uint8_t>().data();
  auto* const rows = storage.assignValues<std::uint32_t>(mask.values.size + 1); // one is in the way
  auto* const ends = storage.assignOffsets(depth - 1, listsIn(offsets));
  std::uint32_t count = 0;
  ends[0] = 0;
  for (std::size_t list = 0; list < listsIn(offsets); ++list) {
    for (std::uint32_t row = offsets[list]; row < offsets[list + 1]; ++row) {
      rows[count] = row;
      count += isWanted[row];
    }
    ends[list + 1] = count;
  }
  ColumnValues result = withOuter(view(rows, count), mask.values, depth - 1);
  result.offsets[depth - 1] = {ends, listsIn(offsets) + 1};
  return result;
}

[[noreturn]] void failIndex(const ListStep& step, std::size_t entry, std::int64_t index,
                            std::size_t size) {
  const bool isNegative = index < 0 && !step.operands[1].isConstant;
  fail(ErrorKind::usage, "'", step.text, "': ", step.operands[0].text, " has ", size,
       size == 1 ? " value" : " values", " in entry ", step.entries.numberOf(entry),
       ", so there is none of index ", index,
       isNegative ? " (an index that is computed does not count from the end)" : "",
       "; filter such entries out, or give a default, as in get(list, index, default)");
}

/// The index counted from the beginning; -1 if there is nothing. Only constants count from the end.
std::int64_t placeOf(std::int64_t index, std::size_t size, bool isConstant) {
  const auto count = static_cast<std::int64_t>(size);
  index += index < 0 && isConstant ? count : 0;
  return (index < 0) | (index >= count) ? -1 : index;
}

ColumnValues rowsAt(const ListStep& step, Storage& storage) {
  const auto& [lists, indices, guard, none] = step.operands;
  const auto level = static_cast<unsigned>(step.node.parameter);
  const bool mayBeNone = step.node.operation == Operation::rowsAtOrNone;
  if (!indices.isConstant)
    checkSameLists(lists, indices, level - 1, step.entries);
  const Offsets offsets = lists.values.offsets[level - 1];
  const std::size_t next = indices.isConstant ? 0 : 1;
  const auto* const index = indices.values.as<std::int64_t>().data();
  constexpr std::uint8_t always = 1, never = 0;
  const bool isGuarded = step.node.operands[2] != Node::none && !mayBeNone;
  const auto* const matters =
      isGuarded ? guard.values.as<std::uint8_t>().data() : (mayBeNone ? &never : &always);
  const std::size_t nextGuard = isGuarded ? 1 : 0;
  auto* const __restrict rows = storage.assignValues<std::uint32_t>(listsIn(offsets));
  // Whether a list is long enough cannot be foreseen, so there is no branch for it.
  unsigned isWrong = 0;
  for (std::size_t list = 0; list < listsIn(offsets); ++list) {
    const std::size_t size = offsets[list + 1] - offsets[list];
    const std::int64_t place = placeOf(index[list * next], size, indices.isConstant);
    const std::uint32_t isNone = place < 0 ? 1 : 0;
    static_assert(rowOfNone == ~std::uint32_t{0});
    rows[list] = (offsets[list] + static_cast<std::uint32_t>(place)) | (0 - isNone);
    isWrong |= isNone & matters[list * nextGuard];
  }
  for (std::size_t list = 0; isWrong != 0; ++list)
    if (rows[list] == rowOfNone && matters[list * nextGuard] != 0)
      failIndex(step, entryOf(lists, level - 1, list), index[list * next],
                offsets[list + 1] - offsets[list]);
  return withOuter(view(rows, listsIn(offsets)), lists.values, level - 1);
}

ColumnValues rowsTaken(const ListStep& step, Storage& storage) {
  const auto& [lists, indices, unused, none] = step.operands;
  const bool mayBeNone = step.node.operation == Operation::rowsTakenOrNone;
  const Offsets offsets = lists.values.offsets[0];
  const auto* const index = indices.values.as<std::int64_t>().data();
  auto* const rows = storage.assignValues<std::uint32_t>(indices.values.size);
  for (std::size_t entry = 0; entry < step.entries.count; ++entry) {
    const std::size_t size = offsets[entry + 1] - offsets[entry];
    const auto [begin, end] = valuesIn(indices, 0, entry, entry + 1);
    for (std::size_t i = begin; i < end; ++i) {
      const std::int64_t place = placeOf(index[i], size, false);
      if (place < 0 && !mayBeNone)
        failIndex(step, entry, index[i], size);
      rows[i] = place < 0 ? rowOfNone : offsets[entry] + static_cast<std::uint32_t>(place);
    }
  }
  return withOuter(view(rows, indices.values.size), indices.values, indices.type.depth);
}

ColumnValues rowsSliced(const ListStep& step, Storage& storage) {
  const Operand& lists = step.operands[0];
  const Offsets offsets = lists.values.offsets[0];
  const auto first = static_cast<std::int32_t>(step.node.detail >> 32U);
  const auto last = static_cast<std::int32_t>(step.node.detail & 0xFFFFFFFFU);
  auto* const rows = storage.assignValues<std::uint32_t>(offsets.empty() ? 0 : offsets.back());
  auto* const ends = storage.assignOffsets(0, listsIn(offsets));
  std::uint32_t count = 0;
  ends[0] = 0;
  for (std::size_t list = 0; list < listsIn(offsets); ++list) {
    const auto size = static_cast<std::int64_t>(offsets[list + 1] - offsets[list]);
    const auto within = [size](std::int64_t bound) {
      return std::clamp<std::int64_t>(bound < 0 ? bound + size : bound, 0, size);
    };
    for (std::int64_t i = within(first); i < within(last); ++i)
      rows[count++] = offsets[list] + static_cast<std::uint32_t>(i);
    ends[list + 1] = count;
  }
  ColumnValues result = view(rows, count);
  result.offsets[0] = {ends, listsIn(offsets) + 1};
  return result;
}

std::uint32_t checkedRows(const ListStep& step, std::uint64_t count, std::size_t entry) {
  if (count > mostRows)
    fail(ErrorKind::memory, "'", step.text, "' makes more than ", mostRows,
         " values of one batch, at entry ", step.entries.numberOf(entry), "; take fewer, as in ",
         step.operands[0].text, "[:10]");
  return static_cast<std::uint32_t>(count);
}

/// How many ways there are to choose `members` of `size`; beyond mostRows: more than that.
std::uint64_t combinations(std::uint64_t size, unsigned members) {
  std::uint64_t count = 1;
  for (unsigned i = 0; i < members; ++i) {
    if (size <= i)
      return 0;
    count = count * (size - i) / (i + 1);
    if (count > mostRows) // and the next products stay below 2^64: sizes are below 2^32
      return count;
  }
  return count;
}

/// Writes the wanted member of each choice of so many of the rows [begin, end), in order; tells
/// where they end.
std::uint32_t* chooseRows(std::uint32_t begin, std::uint32_t end, unsigned members,
                          std::size_t wanted, std::uint32_t* out) {
  if (members == 1) {
    std::iota(out, out + (end - begin), begin);
    return out + (end - begin);
  }
  for (std::uint32_t row = begin; row < end; ++row) // the first one of the choice
    out = wanted == 0 ? std::fill_n(out, combinations(end - row - 1, members - 1), row)
                      : chooseRows(row + 1, end, members - 1, wanted - 1, out);
  return out;
}

/// What chooseRows() writes for lists of a few, as nearly all are: where each begins cannot be
/// foreseen by the processor, and so costs more than to add a number to what is known.
class ChoicesOfFew {
public:
  static constexpr std::uint32_t most = 12;

  ChoicesOfFew(unsigned members, std::size_t wanted) {
    std::uint32_t* out = m_rows.data();
    for (std::uint32_t size = 0; size <= most; ++size) {
      m_begins[size] = out;
      out = chooseRows(0, size, members, wanted, out);
    }
    m_begins[most + 1] = out;
  }
  void write(std::uint32_t begin, std::uint32_t size, std::uint32_t* __restrict out) const {
    for (const std::uint32_t* row = m_begins[size]; row != m_begins[size + 1]; ++row)
      *out++ = begin + *row;
  }

private:
  std::array<std::uint32_t, 1287> m_rows; // choices of 4 of up to 12, which are the most
  std::array<const std::uint32_t*, most + 2> m_begins;
};

ColumnValues rowsCombined(const ListStep& step, Storage& storage) {
  const Operand& lists = step.operands[0];
  const Offsets offsets = lists.values.offsets[0];
  const auto members = static_cast<unsigned>(step.node.detail / 8);
  const std::size_t wanted = step.node.detail % 8;
  const std::size_t count = listsIn(offsets);
  const bool hasLists = wanted > 0; // those of the first member, the second operand
  Offsets ends = hasLists ? step.operands[1].values.offsets[0] : Offsets();
  if (!hasLists) {
    auto* const made = storage.assignOffsets(0, count);
    std::uint64_t total = made[0] = 0;
    for (std::size_t list = 0; list < count; ++list) {
      total += combinations(offsets[list + 1] - offsets[list], members);
      made[list + 1] = checkedRows(step, total, list);
    }
    ends = {made, count + 1};
  }
  auto* const rows = storage.assignValues<std::uint32_t>(ends.back());
  const ChoicesOfFew few(members, wanted);
  for (std::size_t list = 0; list < count; ++list)
    if (const std::uint32_t size = offsets[list + 1] - offsets[list]; size <= ChoicesOfFew::most)
      few.write(offsets[list], size, rows + ends[list]);
    else
      chooseRows(offsets[list], offsets[list + 1], members, wanted, rows + ends[list]);
  ColumnValues result = view(rows, ends.back());
  result.offsets[0] = ends;
  return result;
}

ColumnValues rowsPaired(const ListStep& step, Storage& storage) {
  const Offsets a = step.operands[0].values.offsets[0], b = step.operands[1].values.offsets[0];
  const bool isBehind = step.node.operation == Operation::rowsPairedBehind;
  const std::size_t count = listsIn(a);
  Offsets ends = isBehind ? step.operands[2].values.offsets[1] : Offsets();
  if (!isBehind) {
    auto* const made = storage.assignOffsets(1, a.back());
    std::uint64_t total = made[0] = 0;
    for (std::size_t entry = 0; entry < count; ++entry)
      for (std::uint32_t row = a[entry]; row < a[entry + 1]; ++row)
        made[row + 1] = checkedRows(step, total += b[entry + 1] - b[entry], entry);
    ends = {made, std::size_t{a.back()} + 1};
  }
  auto* rows = storage.assignValues<std::uint32_t>(ends.back());
  ColumnValues result = view(rows, ends.back());
  for (std::size_t entry = 0; entry < count; ++entry)
    for (std::uint32_t row = a[entry]; row < a[entry + 1]; ++row)
      for (std::uint32_t other = b[entry]; other < b[entry + 1]; ++other)
        *rows++ = isBehind ? other : row;
  result.offsets[0] = a;
  result.offsets[1] = ends;
  return result;
}

ColumnValues rowsRelated(const ListStep& step, Storage& storage) {
  const auto& [lists, indices, collections, unused] = step.operands;
  checkSameLists(indices, collections, indices.type.depth, step.entries);
  const Offsets offsets = lists.values.offsets[0];
  const auto* const index = indices.values.as<std::int32_t>().data();
  const auto* const collection = collections.values.as<std::uint32_t>().data();
  auto* const rows = storage.assignValues<std::uint32_t>(indices.values.size);
  for (std::size_t entry = 0; entry < step.entries.count; ++entry) {
    const std::size_t size = offsets[entry + 1] - offsets[entry];
    const auto [begin, end] = valuesIn(indices, 0, entry, entry + 1);
    for (std::size_t i = begin; i < end; ++i) {
      const bool leadsHere = index[i] >= 0 && collection[i] == step.node.detail;
      if (leadsHere && static_cast<std::size_t>(index[i]) >= size)
        fail(ErrorKind::corrupt, "'", step.text, "' refers to object ", index[i], " of ",
             lists.text, " in entry ", step.entries.numberOf(entry), ", which has ", size);
      rows[i] = leadsHere ? offsets[entry] + static_cast<std::uint32_t>(index[i]) : rowOfNone;
    }
  }
  return withOuter(view(rows, indices.values.size), indices.values, indices.type.depth);
}

// ---- Values by their rows ----

bool mayLeadNowhere(const ListStep& step) { return step.node.operands[3] != Node::none; }

template <class T>
ColumnValues gatherValues(const ListStep& step, Storage& storage) {
  const auto& [column, rows, lists, otherwise] = step.operands;
  const T* const values = column.values.as<T>().data();
  const auto row = rows.values.as<std::uint32_t>();
  T* const __restrict result = storage.assignValues<T>(row.size());
  if (!mayLeadNowhere(step)) {
    for (std::size_t i = 0; i < row.size(); ++i)
      result[i] = values[row[i]];
  } else {
    const T* const other = otherwise.values.as<T>().data();
    const std::size_t next = otherwise.isConstant ? 0 : 1;
    const T* const sources[] = {values, other}; // by a number: a branch would cost more
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t isNone = row[i] == rowOfNone ? 1 : 0;
      const std::size_t mask = 0 - isNone;
      result[i] = sources[isNone][(row[i] & ~mask) | (i * next & mask)];
    }
  }
  return withOuter(view(result, row.size()), rows.values, rows.type.depth);
}

/// Where the lists lie that are gathered: those of the column, or what is taken for rowOfNone.
class GatheredLists {
public:
  struct Range {
    const Operand* column;
    std::size_t begin, end;
    unsigned level; ///< of the column
  };

  explicit GatheredLists(const ListStep& step)
      : m_column(&step.operands[0]), m_otherwise(&step.operands[3]),
        m_row(step.operands[1].values.as<std::uint32_t>()),
        m_level(static_cast<unsigned>(step.node.parameter)), m_depth(step.operands[1].type.depth),
        m_hasOther(mayLeadNowhere(step) && !m_otherwise->isConstant) {}

  /// Whether it is an empty list that lies nowhere.
  [[nodiscard]] bool isEmpty(std::size_t i) const { return m_row[i] == rowOfNone && !m_hasOther; }
  /// What lies so many levels below a row.
  [[nodiscard]] Range rangeOf(std::size_t i, unsigned below) const {
    const bool isOther = m_row[i] == rowOfNone;
    const std::size_t first = isOther ? i : m_row[i];
    Range range{isOther ? m_otherwise : m_column, first, first + 1, isOther ? m_depth : m_level};
    for (; below > 0; --below, ++range.level) {
      range.begin = range.column->values.offsets[range.level][range.begin];
      range.end = range.column->values.offsets[range.level][range.end];
    }
    return range;
  }

private:
  const Operand *m_column, *m_otherwise;
  std::span<const std::uint32_t> m_row;
  unsigned m_level, m_depth;
  bool m_hasOther;
};

/// The lists that lie in lists, and their values. Nothing is an empty list.
template <class T>
ColumnValues gatherLists(const ListStep& step, Storage& storage) {
  const auto& [column, rows, lists, otherwise] = step.operands;
  const unsigned levels = column.type.depth - static_cast<unsigned>(step.node.parameter);
  const std::size_t size = rows.values.size;
  const GatheredLists gathered(step);
  ColumnValues result = withOuter({}, rows.values, rows.type.depth);
  for (unsigned below = 0; below < levels; ++below) { // the lists of one level after the other
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < size; ++i)
      if (!gathered.isEmpty(i)) {
        const auto range = gathered.rangeOf(i, below);
        count += range.end - range.begin;
      } else if (below == 0) {
        ++count;
      }
    checkedRows(step, count, 0);
    const unsigned target = rows.type.depth + below;
    auto* const ends = storage.assignOffsets(target, count);
    std::size_t made = 0;
    std::uint64_t end = ends[0] = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (gathered.isEmpty(i)) {
        if (below == 0)
          ends[++made] = static_cast<std::uint32_t>(end);
        continue;
      }
      const auto range = gathered.rangeOf(i, below);
      const Offsets offsets = range.column->values.offsets[range.level];
      for (std::size_t list = range.begin; list < range.end; ++list)
        ends[++made] = checkedRows(step, end += offsets[list + 1] - offsets[list], 0);
    }
    result.offsets[target] = {ends, count + 1};
  }
  result.size = result.offsets[rows.type.depth + levels - 1].back();
  if (column.values.values == nullptr) // of lists only
    return result;
  T* values = storage.assignValues<T>(result.size);
  result.values = reinterpret_cast<const std::byte*>(values);
  for (std::size_t i = 0; i < size; ++i)
    if (!gathered.isEmpty(i)) {
      const auto range = gathered.rangeOf(i, levels);
      const T* const from = range.column->values.as<T>().data();
      values = std::copy(from + range.begin, from + range.end, values);
    }
  return result;
}

template <class T>
ColumnValues gather(const ListStep& step, Storage& storage) {
  const auto level = static_cast<unsigned>(step.node.parameter);
  checkSameLists(step.operands[0], step.operands[2], level, step.entries);
  return step.operands[0].type.depth == level ? gatherValues<T>(step, storage)
                                              : gatherLists<T>(step, storage);
}

template <class T>
ColumnValues spread(const ListStep& step, Storage& storage) {
  const auto& [column, lists, unused, none] = step.operands;
  checkSameLists(column, lists, column.type.depth, step.entries);
  const auto values = column.values.as<T>();
  T* const __restrict result = storage.assignValues<T>(lists.values.size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [begin, end] = valuesIn(lists, column.type.depth, i, i + 1);
    std::fill(result + begin, result + end, values[i]);
  }
  return withOuter(view(result, lists.values.size), lists.values, lists.type.depth);
}

template <class T>
ColumnValues fill(const ListStep& step, Storage& storage) {
  T* const result = storage.assignValues<T>(step.entries.count);
  std::fill_n(result, step.entries.count, step.operands[0].values.as<T>()[0]);
  return view(result, step.entries.count);
}

template <class T>
ColumnValues ofValues(const ListStep& step, Storage& storage) {
  switch (step.node.operation) {
  case Operation::sort:
    return sorted<T>(step, storage);
  case Operation::sortedIndices:
    return sortedIndices<T>(step, storage);
  case Operation::concatenate:
    return concatenated<T>(step, storage);
  case Operation::spread:
    return spread<T>(step, storage);
  case Operation::fill:
    return fill<T>(step, storage);
  default:
    return gather<T>(step, storage);
  }
}

} // namespace

void checkSameLists(const Operand& a, const Operand& b, unsigned levels, const Entries& entries) {
  for (unsigned level = 0; level < levels; ++level) {
    const Offsets left = a.values.offsets[level], right = b.values.offsets[level];
    if (left.data() == right.data() || std::ranges::equal(left, right))
      continue;
    // Both have as many lists: those of the level above are equal.
    const auto differing = std::ranges::mismatch(left, right).in1 - left.begin();
    const auto list = static_cast<std::size_t>(differing) - 1;
    fail(ErrorKind::usage, a.text, " has ", left[list + 1] - left[list], " values and ", b.text,
         " ", right[list + 1] - right[list], " in entry ",
         entries.numberOf(entryOf(a, level, list)),
         ": only lists of the same lengths go together, value by value");
  }
}

ColumnValues computeLists(const ListStep& step, Storage& storage) {
  switch (step.node.operation) {
  case Operation::sum:
  case Operation::any:
  case Operation::all:
  case Operation::count:
  case Operation::least:
  case Operation::greatest:
  case Operation::mean:
  case Operation::indexOfLeast:
  case Operation::indexOfGreatest:
    return reduction(step, storage);
  case Operation::indices:
    return indices(step, storage);
  case Operation::rowsWhere:
    return rowsWhere(step, storage);
  case Operation::rowsAt:
  case Operation::rowsAtOrNone:
    return rowsAt(step, storage);
  case Operation::rowsTaken:
  case Operation::rowsTakenOrNone:
    return rowsTaken(step, storage);
  case Operation::rowsSliced:
    return rowsSliced(step, storage);
  case Operation::rowsCombined:
    return rowsCombined(step, storage);
  case Operation::rowsPaired:
  case Operation::rowsPairedBehind:
    return rowsPaired(step, storage);
  case Operation::rowsRelated:
    return rowsRelated(step, storage);
  default:
    return withScalar(step.operands[0].type.scalar,
                      [&](auto zero) { return ofValues<decltype(zero)>(step, storage); });
  }
}

} // namespace kaon::expression
