#include <kaon/expression/Reductions.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/ExactSum.h>

#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace kaon::expression {
namespace {

template <class T, class R, class F>
detail::ColumnValues reduce(const ListStep& step, StepMemory& storage, F ofList) {
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

/// Reduces the number of true values in each list. The running count, and its differences at the
/// ends of lists, need no branches; a loop over each short list would often mispredict them.
template <class R, class F>
detail::ColumnValues reduceBools(const ListStep& step, StepMemory& storage, F ofCount) {
  const Operand& lists = step.operands[0];
  const Offsets offsets = innermost(lists);
  const std::size_t count = listsIn(offsets), size = lists.values.size;
  const auto* const values = lists.values.as<std::uint8_t>().data();
  // In the memory for the innermost offsets, which the result does not use.
  auto* const running = storage.assignOffsets(detail::mostListLevels - 1, size);
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

/// Orders NaN before all numbers, as in NumPy, so that the result shows it.
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

/// The 64-bit integer type for sums and products of T.
template <class T>
using WideOf = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

/// Reduces integers by `ofList(values, size, isBeyond)`, which sets `isBeyond` on overflow of 64
/// bits.
template <class T, class F>
detail::ColumnValues reduceExactly(const ListStep& step, StepMemory& storage, F ofList) {
  bool isBeyond = false;
  const detail::ColumnValues result =
      reduce<T, WideOf<T>>(step, storage, [&](const T* values, std::size_t size) {
        return ofList(values, size, isBeyond);
      });
  if (!isBeyond) [[likely]]
    return result;
  const Operand& lists = step.operands[0];
  const Offsets offsets = innermost(lists);
  const T* const values = lists.values.as<T>().data();
  for (std::size_t list = 0; list < listsIn(offsets); ++list) {
    bool isThis = false;
    (void)ofList(values + offsets[list], offsets[list + 1] - offsets[list], isThis);
    if (isThis)
      fail(ErrorKind::usage, "'", step.text, "' is beyond ", nameOf(step.node.type.scalar),
           " in entry ", step.entries.numberOf(entryOf(lists, lists.type.depth - 1, list)),
           "; use float(", lists.text, ")");
  }
  return result;
}

template <class T>
detail::ColumnValues sums(const ListStep& step, StepMemory& storage) {
  if constexpr (std::is_floating_point_v<T>)
    return reduce<T, T>(step, storage, sumOfFloats<T>);
  else if constexpr (sizeof(T) < sizeof(WideOf<T>)) // Fewer than 2^32 values cannot overflow.
    return reduce<T, WideOf<T>>(step, storage, [](const T* values, std::size_t size) {
      WideOf<T> sum = 0;
      for (std::size_t i = 0; i < size; ++i)
        sum += values[i];
      return sum;
    });
  else
    return reduceExactly<T>(step, storage, [](const T* values, std::size_t size, bool& isBeyond) {
      detail::ExactSum sum; // Partial sums may exceed 64 bits.
      for (std::size_t i = 0; i < size; ++i)
        sum.add(values[i]);
      const auto exact = sum.as<WideOf<T>>();
      isBeyond |= !exact;
      return exact.value_or(0);
    });
}

/// Multiplies floats as double, and integers in 64 bits.
template <class T>
detail::ColumnValues products(const ListStep& step, StepMemory& storage) {
  if constexpr (std::is_floating_point_v<T>)
    return reduce<T, T>(step, storage, [](const T* values, std::size_t size) {
      double product = 1;
      for (std::size_t i = 0; i < size; ++i)
        product *= static_cast<double>(values[i]);
      return product;
    });
  else
    return reduceExactly<T>(step, storage, [](const T* values, std::size_t size, bool& isBeyond) {
      WideOf<T> product = 1;
      bool isPast = false, hasZero = false; // A later 0 makes the product 0 again.
      for (std::size_t i = 0; i < size; ++i) {
        isPast |= __builtin_mul_overflow(product, static_cast<WideOf<T>>(values[i]), &product);
        hasZero |= values[i] == 0;
      }
      isBeyond |= isPast && !hasZero;
      return hasZero ? WideOf<T>{0} : product;
    });
}

/// Returns the mean; for integers, computed from their exact sum.
template <class T>
double meanOf(const T* values, std::size_t size) {
  if constexpr (std::is_floating_point_v<T>) {
    return sumOfFloats(values, size) / static_cast<double>(size);
  } else {
    detail::ExactSum sum;
    for (std::size_t i = 0; i < size; ++i)
      sum.add(values[i]);
    return size > 0 ? sum.mean(size) : std::numeric_limits<double>::quiet_NaN();
  }
}

template <class T>
detail::ColumnValues reduceNumbers(const ListStep& step, StepMemory& storage) {
  switch (step.node.operation) {
  case Operation::sum:
    return sums<T>(step, storage);
  case Operation::product:
    return products<T>(step, storage);
  case Operation::mean:
    return reduce<T, double>(step, storage, meanOf<T>);
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

} // namespace

detail::ColumnValues reduction(const ListStep& step, StepMemory& storage) {
  const Operand& lists = step.operands[0];
  switch (step.node.operation) {
  case Operation::count: {
    const auto level = static_cast<unsigned>(step.node.parameter);
    const Offsets offsets = lists.values.offsets[level - 1];
    const std::size_t count = listsIn(offsets);
    auto* const result = storage.assignValues<std::int64_t>(count);
    for (std::size_t list = 0; list < count; ++list)
      result[list] = offsets[list + 1] - offsets[list];
    return withOuter(view(result, count), lists.values, level - 1);
  }
  case Operation::any:
    return reduceBools<std::uint8_t>(step, storage,
                                     [](std::uint32_t hold, std::uint32_t) { return hold > 0; });
  case Operation::all:
    return reduceBools<std::uint8_t>(
        step, storage, [](std::uint32_t hold, std::uint32_t count) { return hold == count; });
  case Operation::sum:
    if (lists.type.scalar == Scalar::Bool)
      return reduceBools<std::int64_t>(step, storage,
                                       [](std::uint32_t hold, std::uint32_t) { return hold; });
    break;
  default:
    break;
  }
  return withScalar(lists.type.scalar,
                    [&](auto zero) { return reduceNumbers<decltype(zero)>(step, storage); });
}

} // namespace kaon::expression
