#include <kaon/expression/ListStep.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>

namespace kaon::expression {

std::size_t entryOf(const Operand& lists, unsigned level, std::size_t list) noexcept {
  while (level-- > 0) {
    const Offsets offsets = lists.values.offsets[level];
    list = static_cast<std::size_t>(std::ranges::upper_bound(offsets, list) - offsets.begin()) - 1;
  }
  return list;
}

void checkSameLists(const Operand& a, const Operand& b, unsigned levels, const Entries& entries) {
  for (unsigned level = 0; level < levels; ++level) {
    const Offsets left = a.values.offsets[level], right = b.values.offsets[level];
    if (left.data() == right.data() || std::ranges::equal(left, right))
      continue;
    // Both have as many lists, because the outer levels are equal.
    const auto differing = std::ranges::mismatch(left, right).in1 - left.begin();
    const auto list = static_cast<std::size_t>(differing) - 1;
    fail(ErrorKind::usage, a.text, " has ", counted(left[list + 1] - left[list], "value"), " and ",
         b.text, " ", right[list + 1] - right[list], " in entry ",
         entries.numberOf(entryOf(a, level, list)),
         ": only lists of the same length can be combined value by value; pairs(a, b) combines "
         "each object of one with each of the other");
  }
}

void failTooManyRows(const ListStep& step, std::size_t entry) {
  fail(ErrorKind::memory, "'", step.text, "' makes more than ", mostRows,
       " values of one batch, at entry ", step.entries.numberOf(entry), "; take fewer, as in ",
       step.operands[0].text, "[:10]");
}

} // namespace kaon::expression
