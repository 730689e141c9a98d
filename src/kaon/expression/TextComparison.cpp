#include <kaon/expression/TextComparison.h>

#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kaon::expression {
namespace {

/// The texts of an operand, by their numbers. A constant has one text for all numbers.
class Texts {
public:
  explicit Texts(const Operand& operand)
      : m_characters(detail::valuesAt<char>(operand.values.values), operand.values.size) {
    if (!operand.isConstant)
      m_offsets = operand.values.offsets[operand.type.depth - 1].data();
  }
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    if (!m_offsets)
      return m_characters;
    return m_characters.substr(m_offsets[i], m_offsets[i + 1] - m_offsets[i]);
  }

private:
  std::string_view m_characters;
  const std::uint32_t* m_offsets = nullptr;
};

bool holds(Operation comparison, std::string_view a, std::string_view b) {
  switch (comparison) {
  case Operation::less:
    return a < b;
  case Operation::lessEqual:
    return a <= b;
  case Operation::greater:
    return a > b;
  case Operation::greaterEqual:
    return a >= b;
  case Operation::equal:
    return a == b;
  default:
    return a != b;
  }
}

} // namespace

detail::ColumnValues compareTexts(const ListStep& step, StepMemory& storage) {
  const auto comparison = static_cast<Operation>(step.node.parameter);
  const Operand &left = step.operands[0], &right = step.operands[1];
  const Texts a(left), b(right);
  const bool isLeftDeeper = right.isConstant || left.type.depth > right.type.depth;
  const Operand &deeper = isLeftDeeper ? left : right, &other = isLeftDeeper ? right : left;
  const unsigned depth = deeper.type.depth - 1;
  const unsigned shared = other.isConstant ? 0 : other.type.depth - 1;
  checkSameLists(left, right, shared, step.entries);

  std::size_t count = step.entries.count, outer = count;
  for (unsigned level = 0; level < depth && !deeper.isConstant; ++level) {
    count = deeper.values.offsets[level].back();
    outer = level < shared ? count : outer;
  }
  auto* const result = storage.assignValues<std::uint8_t>(count);
  for (std::size_t i = 0; i < outer; ++i) {
    std::size_t begin = i, end = i + 1;
    for (unsigned level = shared; level < depth; ++level) {
      begin = deeper.values.offsets[level][begin];
      end = deeper.values.offsets[level][end];
    }
    for (std::size_t k = begin; k < end; ++k)
      result[k] = holds(comparison, a[isLeftDeeper ? k : i], b[isLeftDeeper ? i : k]) ? 1 : 0;
  }
  detail::ColumnValues values{detail::bytesAt(result), count};
  std::copy_n(deeper.values.offsets.begin(), depth, values.offsets.begin());
  return values;
}

} // namespace kaon::expression
