#include <kaon/expression/Lists.h>

#include <kaon/base/Error.h>
#include <kaon/base/ShortRuns.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/expression/Reductions.h>
#include <kaon/expression/Rows.h>

#include <algorithm>
#include <numeric>

namespace kaon::expression {
namespace {

// ---- Lists in another order ----

/// Sorts NaN last, as in NumPy.
template <class T>
bool isSortedBefore(T a, T b) {
  return a < b || (a == a && b != b);
}

template <class T>
detail::ColumnValues sorted(const ListStep& step, StepMemory& storage) {
  const Operand& lists = step.operands[0];
  const Offsets offsets = innermost(lists);
  T* const result = storage.assignValues<T>(lists.values.size);
  std::ranges::copy(lists.values.as<T>(), result);
  for (std::size_t list = 0; list < listsIn(offsets); ++list)
    std::sort(result + offsets[list], result + offsets[list + 1], isSortedBefore<T>);
  return withOuter(view(result, lists.values.size), lists.values, lists.type.depth);
}

template <class T>
detail::ColumnValues sortedIndices(const ListStep& step, StepMemory& storage) {
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
             (!isSortedBefore(values[b], values[a]) && a < b); // Equal values keep their order.
    });
  }
  return withOuter(view(result, lists.values.size), lists.values, lists.type.depth);
}

detail::ColumnValues indices(const ListStep& step, StepMemory& storage) {
  const auto level = static_cast<unsigned>(step.node.parameter);
  const detail::ColumnValues& lists = step.operands[0].values;
  const Offsets offsets = lists.offsets[level - 1];
  const std::size_t size = offsets.empty() ? 0 : offsets.back();
  auto* const result = storage.assignValues<std::int64_t>(size);
  for (std::size_t list = 0; list < listsIn(offsets); ++list)
    std::iota(result + offsets[list], result + offsets[list + 1], std::int64_t{0});
  return withOuter(view(result, size), lists, level);
}

/// Returns whether only the lists of a column are read. Columns without values may be null, too.
bool isListsOnly(const detail::ColumnValues& column) {
  return column.values == nullptr && column.size > 0;
}

/// Joins the values of each entry's list with those of its other list.
template <class T>
detail::ColumnValues concatenated(const ListStep& step, StepMemory& storage) {
  const auto& [a, b, unused, none] = step.operands;
  const Offsets left = a.values.offsets[0], right = b.values.offsets[0];
  const std::size_t count = listsIn(left), size = std::size_t{left.back()} + right.back();
  if (size >= rowOfNone)
    fail(ErrorKind::memory, "'", step.text, "' makes lists of ", size, " values of one batch");
  auto* const ends = storage.assignOffsets(0, count);
  for (std::size_t list = 0; list <= count; ++list)
    ends[list] = left[list] + right[list];
  detail::ColumnValues result = view(nullptr, size);
  result.offsets[0] = {ends, count + 1};
  if (isListsOnly(a.values) || isListsOnly(b.values))
    return result;
  T* const values = storage.assignValues<T>(size + shortRunRoom);
  result.values = detail::bytesAt(values);
  const auto first = std::as_bytes(a.values.as<T>()), second = std::as_bytes(b.values.as<T>());
  auto* out = detail::bytesAt(values);
  for (std::size_t list = 0; list < count; ++list) {
    out = appendRun(first, left[list] * sizeof(T), left[list + 1] * sizeof(T), out);
    out = appendRun(second, right[list] * sizeof(T), right[list + 1] * sizeof(T), out);
  }
  return result;
}

// ---- Values by their rows ----

bool mayLeadNowhere(const ListStep& step) { return step.node.operands[3] != Node::none; }

template <class T>
detail::ColumnValues gatherValues(const ListStep& step, StepMemory& storage) {
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
    // Chosen by an index, because a branch would cost more.
    const T* const sources[] = {values, other};
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t isNone = row[i] == rowOfNone ? 1 : 0;
      const std::size_t mask = 0 - isNone;
      result[i] = sources[isNone][(row[i] & ~mask) | (i * next & mask)];
    }
  }
  return withOuter(view(result, row.size()), rows.values, rows.type.depth);
}

/// The lists that are gathered: lists of the column, or the lists for rowOfNone.
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

  /// Returns whether the list is empty, because its row is rowOfNone without a replacement.
  [[nodiscard]] bool isEmpty(std::size_t i) const { return m_row[i] == rowOfNone && !m_hasOther; }
  /// Returns the range of values or lists `below` levels below a row.
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

/// Gathers inner lists and their values. Rows without a replacement become empty lists.
template <class T>
detail::ColumnValues gatherLists(const ListStep& step, StepMemory& storage) {
  const auto& [column, rows, lists, otherwise] = step.operands;
  const unsigned levels = column.type.depth - static_cast<unsigned>(step.node.parameter);
  const std::size_t size = rows.values.size;
  const GatheredLists gathered(step);
  detail::ColumnValues result = withOuter({}, rows.values, rows.type.depth);
  for (unsigned below = 0; below < levels; ++below) { // one level of lists after the other
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < size; ++i)
      if (!gathered.isEmpty(i)) {
        const auto range = gathered.rangeOf(i, below);
        count += range.end - range.begin;
      } else if (below == 0) {
        ++count;
      }
    (void)checkedRows(step, count, 0);
    const unsigned target = rows.type.depth + below;
    auto* const ends = storage.assignOffsets(target, count);
    std::size_t last = 0;
    std::uint64_t end = ends[0] = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (gathered.isEmpty(i)) {
        if (below == 0)
          ends[++last] = static_cast<std::uint32_t>(end);
        continue;
      }
      const auto range = gathered.rangeOf(i, below);
      const Offsets offsets = range.column->values.offsets[range.level];
      for (std::size_t list = range.begin; list < range.end; ++list)
        ends[++last] = checkedRows(step, end += offsets[list + 1] - offsets[list], 0);
    }
    result.offsets[target] = {ends, count + 1};
  }
  result.size = result.offsets[rows.type.depth + levels - 1].back();
  if (isListsOnly(column.values) || (mayLeadNowhere(step) && isListsOnly(otherwise.values)))
    return result;
  T* values = storage.assignValues<T>(result.size);
  result.values = detail::bytesAt(values);
  for (std::size_t i = 0; i < size; ++i)
    if (!gathered.isEmpty(i)) {
      const auto range = gathered.rangeOf(i, levels);
      const T* const from = range.column->values.as<T>().data();
      values = std::copy(from + range.begin, from + range.end, values);
    }
  return result;
}

template <class T>
detail::ColumnValues gather(const ListStep& step, StepMemory& storage) {
  const auto level = static_cast<unsigned>(step.node.parameter);
  checkSameLists(step.operands[0], step.operands[2], level, step.entries);
  return step.operands[0].type.depth == level ? gatherValues<T>(step, storage)
                                              : gatherLists<T>(step, storage);
}

template <class T>
detail::ColumnValues spread(const ListStep& step, StepMemory& storage) {
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
detail::ColumnValues fill(const ListStep& step, StepMemory& storage) {
  T* const result = storage.assignValues<T>(step.entries.count);
  std::fill_n(result, step.entries.count, step.operands[0].values.as<T>()[0]);
  return view(result, step.entries.count);
}

template <class T>
detail::ColumnValues ofValues(const ListStep& step, StepMemory& storage) {
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

detail::ColumnValues computeLists(const ListStep& step, StepMemory& storage) {
  if (isReduction(step.node.operation))
    return reduction(step, storage);
  if (step.node.operation == Operation::indices)
    return indices(step, storage);
  if (isOfRows(step.node.operation))
    return computeRows(step, storage);
  return withScalar(step.operands[0].type.scalar,
                    [&](auto zero) { return ofValues<decltype(zero)>(step, storage); });
}

} // namespace kaon::expression
