#include <kaon/expression/Selections.h>

#include <kaon/base/Error.h>
#include <kaon/expression/Rows.h>
#include <kaon/expression/Token.h>

#include <array>
#include <variant>

namespace kaon::expression {

Selections::Guard::Guard(Selections& selections, Value condition)
    : m_selections(selections), m_before(selections.m_guard) {
  Operators& operators = *selections.m_operators;
  if (operators.typeOf(condition).depth > 0)
    return;
  if (operators.isConstant(condition)) {
    if (selections.m_graph->at(condition.node).parameter != 0)
      return;
    condition = operators.filled(condition);
  }
  const bool isFirst = m_before.node == Node::none;
  selections.m_guard =
      isFirst ? condition : operators.logical(Operation::logicalAnd, m_before, condition);
}

Value Selections::guardOf(Value lists, unsigned level) {
  const Value guard = level == 1 ? m_guard : Value{};
  if (!lists.mayLackLists() || m_operators->typeOf({lists.presentLists}).depth >= level)
    return guard;
  const Value present{m_operators->presenceAt(lists, level - 1)};
  return guard.node == Node::none ? present
                                  : m_operators->logical(Operation::logicalAnd, guard, present);
}

unsigned Selections::depthOf(const Meaning& meaning) const {
  if (const auto* record = std::get_if<RecordPtr>(&meaning))
    return (*record)->depth;
  return m_operators->typeOf(std::get<Value>(meaning)).depth;
}

Value Selections::listsOf(const Meaning& meaning) {
  if (const auto* record = std::get_if<RecordPtr>(&meaning))
    return m_records->listsOf(*record);
  const Value value = std::get<Value>(meaning);
  if (depthOf(meaning) == 0)
    m_operators->fail(ErrorKind::type, quoted(m_graph->textOf(value.node)) + " is one " +
                                           nameOf(m_operators->typeOf(value)) +
                                           " in each entry, not a list");
  return m_operators->listsOf(value);
}

Meaning Selections::selected(const Meaning& whole, Value rows, unsigned level, bool mayBeNone) {
  if (const auto* record = std::get_if<RecordPtr>(&whole))
    return m_records->selected(*record, rows, level, mayBeNone);
  const Value value = std::get<Value>(whole);
  const Value otherwise =
      mayBeNone ? m_operators->nothing(m_operators->typeOf(value).scalar) : Value{};
  return m_operators->gathered(value, rows, listsOf(whole), level, otherwise);
}

Meaning Selections::at(const Meaning& whole, Value index) {
  const auto* const value = std::get_if<Value>(&whole);
  const Value guard = value ? guardOf(*value, 1) : m_guard;
  const std::array operands{listsOf(whole), m_operators->asIndex(index), guard};
  const Value rows = m_operators->rows(Operation::rowsAt, operands, 1, 0);
  return selected(whole, rows, 1, guard.node != Node::none);
}

Meaning Selections::taken(const Meaning& whole, Value indices) {
  const std::array operands{listsOf(whole), m_operators->asIndex(indices)};
  const unsigned depth = m_operators->typeOf(indices).depth;
  return selected(whole, m_operators->rows(Operation::rowsTaken, operands, 1, depth), 1);
}

Meaning Selections::masked(const Meaning& whole, Value mask) {
  const unsigned depth = m_operators->typeOf(mask).depth;
  if (depth == 0 || depth > depthOf(whole))
    m_operators->fail(
        ErrorKind::type,
        "a selection must be a condition on each value, such as x[x > 20]; this one is " +
            nameOf(m_operators->typeOf(mask)));
  const std::array operands{listsOf(whole), mask};
  return selected(whole, m_operators->rows(Operation::rowsWhere, operands, depth, depth), depth);
}

Meaning Selections::slice(const Meaning& whole, std::int32_t begin, std::int32_t end) {
  const std::array operands{listsOf(whole)};
  return selected(whole,
                  m_operators->rows(Operation::rowsSliced, operands, 1, 1, packed(begin, end)), 1);
}

} // namespace kaon::expression
