#include <kaon/expression/Rows.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace kaon::expression {
namespace {

detail::ColumnValues rowsWhere(const ListStep& step, StepMemory& storage) {
  const Operand& mask = step.operands[1];
  const unsigned depth = mask.type.depth;
  checkSameLists(step.operands[0], mask, depth, step.entries);
  const Offsets offsets = innermost(mask);
  const auto* const isWanted = mask.values.as<std::uint8_t>().data();
  // Room for one unwanted row.
  auto* const rows = storage.assignValues<std::uint32_t>(mask.values.size + 1);
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
  detail::ColumnValues result = withOuter(view(rows, count), mask.values, depth - 1);
  result.offsets[depth - 1] = {ends, listsIn(offsets) + 1};
  return result;
}

[[noreturn]] void failIndex(const ListStep& step, std::size_t entry, std::int64_t index,
                            std::size_t size) {
  const bool isNegative = index < 0 && !step.operands[1].isConstant;
  fail(ErrorKind::usage, "'", step.text, "': ", step.operands[0].text, " has ", size,
       size == 1 ? " value" : " values", " in entry ", step.entries.numberOf(entry), ", so index ",
       index, " is out of range",
       isNegative ? " (a computed index does not count from the end)" : "",
       "; filter these entries out, or give a default, as in get(list, index, default)");
}

/// Returns an index counted from the beginning, or -1 if it is out of range. Only negative
/// constants count from the end.
std::int64_t placeOf(std::int64_t index, std::size_t size, bool isConstant) {
  const auto count = static_cast<std::int64_t>(size);
  index += index < 0 && isConstant ? count : 0;
  return ((index < 0) | (index >= count)) ? -1 : index;
}

detail::ColumnValues rowsAt(const ListStep& step, StepMemory& storage) {
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
  // No branch, because the lengths of lists are unpredictable.
  unsigned isWrong = 0;
  for (std::size_t list = 0; list < listsIn(offsets); ++list) {
    const std::size_t size = offsets[list + 1] - offsets[list];
    const std::int64_t place = placeOf(index[list * next], size, indices.isConstant);
    const std::uint32_t isNone = place < 0 ? 1 : 0;
    static_assert(rowOfNone == ~std::uint32_t{0});
    rows[list] = (offsets[list] + static_cast<std::uint32_t>(place)) | (0 - isNone);
    isWrong |= isNone & matters[list * nextGuard];
  }
  for (std::size_t list = 0; isWrong != 0 && list < listsIn(offsets); ++list)
    if (rows[list] == rowOfNone && matters[list * nextGuard] != 0)
      failIndex(step, entryOf(lists, level - 1, list), index[list * next],
                offsets[list + 1] - offsets[list]);
  return withOuter(view(rows, listsIn(offsets)), lists.values, level - 1);
}

detail::ColumnValues rowsTaken(const ListStep& step, StepMemory& storage) {
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

detail::ColumnValues rowsSliced(const ListStep& step, StepMemory& storage) {
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
  detail::ColumnValues result = view(rows, count);
  result.offsets[0] = {ends, listsIn(offsets) + 1};
  return result;
}

/// Returns the number of ways to choose `members` of `size` objects. A result above mostRows is a
/// lower bound.
std::uint64_t combinations(std::uint64_t size, unsigned members) {
  std::uint64_t count = 1;
  for (unsigned i = 0; i < members; ++i) {
    if (size <= i)
      return 0;
    count = count * (size - i) / (i + 1);
    if (count > mostRows) // Products stay below 2^64, because sizes are below 2^32.
      return count;
  }
  return count;
}

/// Writes the wanted member of each choice of `members` of the rows [begin, end), in order. Returns
/// the end of the output.
std::uint32_t* chooseRows(std::uint32_t begin, std::uint32_t end, unsigned members,
                          std::size_t wanted, std::uint32_t* out) {
  if (members == 1) {
    std::iota(out, out + (end - begin), begin);
    return out + (end - begin);
  }
  for (std::uint32_t row = begin; row < end; ++row) // `row` is the first member of the choice.
    out = wanted == 0 ? std::fill_n(out, combinations(end - row - 1, members - 1), row)
                      : chooseRows(row + 1, end, members - 1, wanted - 1, out);
  return out;
}

/// A table of the results of chooseRows() for short lists, which are the most frequent. The
/// branches of chooseRows() are unpredictable, and cost more than adding a number to each result.
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
  // Room for choices of 4 of up to 12 rows, the most frequent number.
  std::array<std::uint32_t, 1287> m_rows;
  std::array<const std::uint32_t*, most + 2> m_begins;
};

detail::ColumnValues rowsCombined(const ListStep& step, StepMemory& storage) {
  const Operand& lists = step.operands[0];
  const Offsets offsets = lists.values.offsets[0];
  const auto members = static_cast<unsigned>(step.node.detail / 8);
  const std::size_t wanted = step.node.detail % 8;
  const std::size_t count = listsIn(offsets);
  const bool hasLists = wanted > 0; // the first member's lists, from the second operand
  Offsets ends = hasLists ? step.operands[1].values.offsets[0] : Offsets();
  if (!hasLists) {
    auto* const written = storage.assignOffsets(0, count);
    std::uint64_t total = written[0] = 0;
    for (std::size_t list = 0; list < count; ++list) {
      total += combinations(offsets[list + 1] - offsets[list], members);
      written[list + 1] = checkedRows(step, total, list);
    }
    ends = {written, count + 1};
  }
  auto* const rows = storage.assignValues<std::uint32_t>(ends.back());
  const ChoicesOfFew few(members, wanted);
  for (std::size_t list = 0; list < count; ++list)
    if (const std::uint32_t size = offsets[list + 1] - offsets[list]; size <= ChoicesOfFew::most)
      few.write(offsets[list], size, rows + ends[list]);
    else
      chooseRows(offsets[list], offsets[list + 1], members, wanted, rows + ends[list]);
  detail::ColumnValues result = view(rows, ends.back());
  result.offsets[0] = ends;
  return result;
}

detail::ColumnValues rowsPaired(const ListStep& step, StepMemory& storage) {
  const Offsets a = step.operands[0].values.offsets[0], b = step.operands[1].values.offsets[0];
  const bool isBehind = step.node.operation == Operation::rowsPairedBehind;
  const std::size_t count = listsIn(a);
  Offsets ends = isBehind ? step.operands[2].values.offsets[1] : Offsets();
  if (!isBehind) {
    auto* const written = storage.assignOffsets(1, a.back());
    std::uint64_t total = written[0] = 0;
    for (std::size_t entry = 0; entry < count; ++entry)
      for (std::uint32_t row = a[entry]; row < a[entry + 1]; ++row)
        written[row + 1] = checkedRows(step, total += b[entry + 1] - b[entry], entry);
    ends = {written, std::size_t{a.back()} + 1};
  }
  auto* rows = storage.assignValues<std::uint32_t>(ends.back());
  detail::ColumnValues result = view(rows, ends.back());
  for (std::size_t entry = 0; entry < count; ++entry)
    for (std::uint32_t row = a[entry]; row < a[entry + 1]; ++row)
      for (std::uint32_t other = b[entry]; other < b[entry + 1]; ++other)
        *rows++ = isBehind ? other : row;
  result.offsets[0] = a;
  result.offsets[1] = ends;
  return result;
}

detail::ColumnValues rowsRelated(const ListStep& step, StepMemory& storage) {
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

} // namespace

detail::ColumnValues computeRows(const ListStep& step, StepMemory& storage) {
  switch (step.node.operation) {
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
  default:
    return rowsRelated(step, storage);
  }
}

} // namespace kaon::expression
