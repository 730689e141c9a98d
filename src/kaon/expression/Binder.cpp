#include <kaon/expression/Binder.h>

#include <kaon/base/Suggestion.h>
#include <kaon/expression/Lists.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace kaon::expression {
namespace {

/// Definitions may lead to each other so deep.
constexpr unsigned mostAliases = 32;

struct Sign {
  std::string_view text;
  Operation operation;
};
constexpr Sign arithmeticSigns[] = {{"+", Operation::add},          {"-", Operation::subtract},
                                    {"*", Operation::multiply},     {"/", Operation::divide},
                                    {"//", Operation::floorDivide}, {"%", Operation::modulo}};
constexpr Sign bitSigns[] = {{"&", Operation::bitAnd},
                             {"|", Operation::bitOr},
                             {"^", Operation::bitXor},
                             {"<<", Operation::shiftLeft},
                             {">>", Operation::shiftRight}};
constexpr Sign comparisonSigns[] = {{"<", Operation::less},    {"<=", Operation::lessEqual},
                                    {">", Operation::greater}, {">=", Operation::greaterEqual},
                                    {"==", Operation::equal},  {"!=", Operation::notEqual}};

std::optional<Operation> operationOf(std::span<const Sign> signs, std::string_view text) {
  for (const Sign& sign : signs)
    if (sign.text == text)
      return sign.operation;
  return std::nullopt;
}

} // namespace

void Binder::setPlace(const Syntax& syntax) {
  m_operators.setPlace({textOf(syntax), [text = m_tree->text, place = syntax.place](
                                            ErrorKind kind, const std::string& message) {
                          failAt(kind, text, place, message);
                        }});
}

Meaning Binder::meaningOf(std::string_view text) {
  const SyntaxTree tree = parse(text);
  const SyntaxTree* const before = std::exchange(m_tree, &tree);
  Meaning meaning = bind(tree.root);
  m_tree = before;
  return meaning;
}

Meaning Binder::aliasMeaning(const std::string& name, const std::string& text) {
  const std::pair key(name, m_guard.node);
  if (const auto known = m_aliases.find(key); known != m_aliases.end())
    return known->second;
  if (++m_aliasDepth > mostAliases)
    fail(ErrorKind::usage, "the definition of '" + name + "' leads through more than " +
                               std::to_string(mostAliases) + " others, or to itself");
  Operators::Place place = m_operators.place();
  const Meaning meaning = meaningOf(text);
  m_operators.setPlace(std::move(place));
  --m_aliasDepth;
  return m_aliases[key] = meaning;
}

Meaning Binder::bind(std::uint32_t node) {
  const Syntax& syntax = m_tree->at(node);
  if (++m_nesting > 2 * mostNesting) { // definitions included
    setPlace(syntax);
    fail(ErrorKind::usage, "too many parts and definitions lie one in the other");
  }
  Meaning meaning = bindKind(syntax);
  --m_nesting;
  return meaning;
}

Meaning Binder::bindKind(const Syntax& syntax) {
  switch (syntax.kind) {
  case SyntaxKind::integer:
  case SyntaxKind::real:
    return number(syntax);
  case SyntaxKind::boolean:
    setPlace(syntax);
    return m_operators.literal(syntax.text == "True");
  case SyntaxKind::name:
    return name(syntax);
  case SyntaxKind::attribute: {
    const Meaning whole = bind(syntax.children[0]);
    setPlace(syntax);
    if (const auto* record = std::get_if<RecordPtr>(&whole))
      return m_records.member(*record, std::string(syntax.text));
    fail(ErrorKind::type, quoted(textOf(m_tree->at(syntax.children[0]))) + " is " +
                              nameOf(m_operators.typeOf(std::get<Value>(whole))) +
                              ", which has no members");
  }
  case SyntaxKind::call:
    return call(syntax);
  case SyntaxKind::index:
    return index(syntax);
  case SyntaxKind::slice:
    return slice(syntax);
  case SyntaxKind::unary:
    return unary(syntax);
  case SyntaxKind::binary:
    return binary(syntax);
  case SyntaxKind::comparison:
    return comparison(syntax);
  case SyntaxKind::conjunction:
  case SyntaxKind::disjunction:
    return joined(syntax);
  case SyntaxKind::conditional: {
    const Value result = conditional(syntax.children[1], syntax.children[0], syntax.children[2]);
    return result;
  }
  case SyntaxKind::string:
  case SyntaxKind::sequence:
    break;
  }
  setPlace(syntax);
  fail(ErrorKind::type,
       "a text is no number; it can be compared with characters, or name a column('...')");
}

Value Binder::require(const Meaning& meaning, const Syntax& syntax) {
  if (const auto* found = std::get_if<Value>(&meaning))
    return *found;
  setPlace(syntax);
  const std::string text = textOf(syntax);
  fail(ErrorKind::type, quoted(text) +
                            " stands for objects, not for numbers; name a member, as in '" + text +
                            ".pt'");
}

Value Binder::value(std::uint32_t node) { return require(bind(node), m_tree->at(node)); }

Value Binder::number(const Syntax& syntax) {
  setPlace(syntax);
  std::string digits(syntax.text);
  std::erase(digits, '_');
  const char* const end = digits.data() + digits.size();
  if (syntax.kind == SyntaxKind::real) {
    double real = 0;
    const auto [last, error] = std::from_chars(digits.data(), end, real);
    if (error != std::errc() || last != end)
      fail(ErrorKind::usage, quoted(digits) + " is not a number that a float64 can be");
    return m_operators.literal(real);
  }
  const bool isHex = digits.size() > 1 && (digits[1] == 'x' || digits[1] == 'X');
  std::uint64_t integer = 0;
  const auto [last, error] =
      std::from_chars(digits.data() + (isHex ? 2 : 0), end, integer, isHex ? 16 : 10);
  if (error != std::errc() || last != end)
    fail(ErrorKind::usage, quoted(digits) + " is not an integer below 2**64");
  if (std::in_range<std::int64_t>(integer))
    return m_operators.literal(static_cast<std::int64_t>(integer));
  return m_operators.literal(integer);
}

Meaning Binder::name(const Syntax& syntax) {
  setPlace(syntax);
  const std::string name(syntax.text);
  if (const std::optional<Meaning> found = m_records.named(name))
    return *found;
  if (name == "pi")
    return m_operators.literal(std::numbers::pi);
  std::vector<std::string> known = m_scope->names();
  if (isFunction(name))
    fail(ErrorKind::name, quoted(name) + " is a function: " + name + "(...)");
  fail(ErrorKind::name, "there is no column or collection '" + name + "'" + m_scope->where() +
                            suggestion(name, known));
}

Meaning Binder::unary(const Syntax& syntax) {
  const Value operand = value(syntax.children[0]);
  setPlace(syntax);
  if (syntax.text == "not")
    return m_operators.inverted(operand);
  if (syntax.text == "~")
    return m_operators.complement(operand);
  const Value negative = m_operators.negative(operand);
  if (syntax.text == "-")
    return negative;
  return m_operators.isConstant(operand) || m_operators.typeOf(operand).scalar != Scalar::Bool
             ? operand
             : m_operators.negative(negative);
}

Meaning Binder::binary(const Syntax& syntax) {
  const Meaning a = bind(syntax.children[0]), b = bind(syntax.children[1]);
  const auto* const left = std::get_if<RecordPtr>(&a);
  const auto* const right = std::get_if<RecordPtr>(&b);
  if (left && right && (syntax.text == "+" || syntax.text == "-")) {
    setPlace(syntax);
    return m_records.combined(syntax.text == "+" ? RecordKind::sum : RecordKind::difference,
                              {*left, *right}, std::max((*left)->depth, (*right)->depth));
  }
  const Value x = require(a, m_tree->at(syntax.children[0]));
  const Value y = require(b, m_tree->at(syntax.children[1]));
  setPlace(syntax);
  if (syntax.text == "**")
    return m_operators.power(x, y);
  if (const auto operation = operationOf(bitSigns, syntax.text))
    return m_operators.bits(*operation, x, y);
  return m_operators.arithmetic(*operationOf(arithmeticSigns, syntax.text), x, y);
}

/// Whether there are texts among what is compared.
bool Binder::isOfTexts(const Syntax& comparison) const {
  return std::ranges::any_of(comparison.children, [this](std::uint32_t node) {
    const Syntax& syntax = m_tree->at(node);
    return syntax.kind == SyntaxKind::string ||
           (syntax.kind == SyntaxKind::sequence && isOfTexts(syntax));
  });
}

/// `title == 'odd'`, `'odd' != title`, `title in ('odd', 'even')`.
Value Binder::textComparison(const Syntax& syntax) {
  const bool isSwapped = m_tree->at(syntax.children[0]).kind == SyntaxKind::string;
  const std::uint32_t column = syntax.children[isSwapped ? 1 : 0];
  const std::uint32_t other = syntax.children[isSwapped ? 0 : 1];
  const bool isAmong = m_tree->at(other).kind == SyntaxKind::sequence;
  const std::string_view sign = syntax.signs[0];
  setPlace(syntax);
  if (syntax.signs.size() > 1 || (!isAmong && sign != "==" && sign != "!="))
    fail(ErrorKind::usage, "texts are compared by ==, != and in, one with another");
  const Value all = characters(column);
  const std::vector<std::uint32_t> single = {other};
  Value result;
  for (const std::uint32_t node : isAmong ? m_tree->at(other).children : single) {
    const Syntax& text = m_tree->at(node);
    setPlace(text);
    if (text.kind != SyntaxKind::string)
      fail(ErrorKind::type, quoted(textOf(text)) + " is no text, as the others are");
    setPlace(syntax);
    const Value is = isText(all, text.text);
    result = result.node == Node::none ? is : m_operators.logical(Operation::logicalOr, result, is);
  }
  return sign == "!=" || sign == "not in" ? m_operators.inverted(result) : result;
}

/// Texts, or lists of bytes.
Value Binder::characters(std::uint32_t node) {
  const Syntax& syntax = m_tree->at(node);
  const Value value = this->value(node);
  setPlace(syntax);
  const ColumnType type = m_operators.typeOf(value);
  if (type.depth == 0 || sizeOf(type.scalar) != 1 || type.scalar == Scalar::Bool)
    fail(ErrorKind::type,
         quoted(textOf(syntax)) + " is " + nameOf(type) + ", not a text to be compared with one");
  return value;
}

/// Whether there are as many characters, and each is the same.
Value Binder::isText(Value characters, std::string_view text) {
  const auto [scalar, depth, isOfText] = m_operators.typeOf(characters);
  const auto isEqual = [this](Value value, std::int64_t number) {
    return m_operators.comparison(Operation::equal, value, m_operators.literal(number));
  };
  Value result = isEqual(m_operators.count(characters), std::ssize(text));
  const Value lists = listsOf(characters);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Value place = m_operators.literal(static_cast<std::int64_t>(i));
    const std::array operands{lists, m_operators.asIndex(place), Value{}};
    const Value rows = m_operators.rows(Operation::rowsAtOrNone, operands, depth, depth - 1);
    const Value character =
        m_operators.gathered(characters, rows, lists, depth, m_operators.nothing(scalar));
    const int wanted = scalar == Scalar::Int8 ? static_cast<signed char>(text[i])
                                              : static_cast<unsigned char>(text[i]);
    result = m_operators.logical(Operation::logicalAnd, result, isEqual(character, wanted));
  }
  return result;
}

Value Binder::comparison(const Syntax& syntax) {
  if (isOfTexts(syntax))
    return textComparison(syntax);
  Value left = value(syntax.children[0]);
  Value result;
  for (std::size_t i = 0; i < syntax.signs.size(); ++i) {
    const Syntax& next = m_tree->at(syntax.children[i + 1]);
    Value holds;
    if (next.kind == SyntaxKind::sequence) {
      holds = isAmong(left, next);
      setPlace(syntax);
      if (syntax.signs[i] == "not in")
        holds = m_operators.inverted(holds);
      if (i + 1 < syntax.signs.size())
        fail(ErrorKind::usage, "nothing can be compared with a list of values");
    } else {
      const Value right = value(syntax.children[i + 1]);
      setPlace(syntax);
      holds = m_operators.comparison(*operationOf(comparisonSigns, syntax.signs[i]), left, right);
      left = right;
    }
    result = i == 0 ? holds : m_operators.logical(Operation::logicalAnd, result, holds);
  }
  return result;
}

Value Binder::isAmong(Value left, const Syntax& sequence) {
  Value result;
  for (const std::uint32_t child : sequence.children) {
    const Value right = value(child);
    setPlace(sequence);
    const Value isEqual = m_operators.comparison(Operation::equal, left, right);
    result = result.node == Node::none ? isEqual
                                       : m_operators.logical(Operation::logicalOr, result, isEqual);
  }
  return result;
}

/// `and` and `or`. What stands behind a condition matters only in the entries that the condition
/// leaves open.
Value Binder::joined(const Syntax& syntax) {
  const bool isAnd = syntax.kind == SyntaxKind::conjunction;
  Value result = value(syntax.children[0]);
  setPlace(m_tree->at(syntax.children[0]));
  result = m_operators.asBool(result);
  for (std::size_t i = 1; i < syntax.children.size(); ++i) {
    const Guard guard(*this, isAnd ? result : m_operators.inverted(result));
    const Value next = value(syntax.children[i]);
    setPlace(m_tree->at(syntax.children[i]));
    const Value condition = m_operators.asBool(next);
    setPlace(syntax);
    result = m_operators.logical(isAnd ? Operation::logicalAnd : Operation::logicalOr, result,
                                 condition);
  }
  return result;
}

Value Binder::conditional(std::uint32_t condition, std::uint32_t yes, std::uint32_t no) {
  const Value asked = value(condition);
  setPlace(m_tree->at(condition));
  const Value holds = m_operators.asBool(asked);
  const Value inverse = m_operators.inverted(holds);
  const auto guarded = [&](Value when, std::uint32_t node) {
    const Guard guard(*this, when);
    return value(node);
  };
  const Value a = guarded(holds, yes), b = guarded(inverse, no);
  setPlace(m_tree->at(condition));
  return m_operators.choice(holds, a, b);
}

// ---- Lists ----

unsigned Binder::depthOf(const Meaning& meaning) {
  if (const auto* record = std::get_if<RecordPtr>(&meaning))
    return (*record)->depth;
  return m_operators.typeOf(std::get<Value>(meaning)).depth;
}

Value Binder::listsOf(const Meaning& meaning) {
  if (const auto* record = std::get_if<RecordPtr>(&meaning))
    return m_records.listsOf(*record);
  const Value value = std::get<Value>(meaning);
  if (depthOf(meaning) == 0)
    fail(ErrorKind::type, quoted(m_graph->textOf(value.node)) + " is one " +
                              nameOf(m_operators.typeOf(value)) + " an entry, not a list");
  return m_operators.listsOf(value);
}

Meaning Binder::selected(const Meaning& whole, Value rows, unsigned level, bool mayBeNone) {
  if (const auto* record = std::get_if<RecordPtr>(&whole))
    return m_records.selected(*record, rows, level, mayBeNone);
  const Value value = std::get<Value>(whole);
  const Value otherwise =
      mayBeNone ? m_operators.nothing(m_operators.typeOf(value).scalar) : Value{};
  return m_operators.gathered(value, rows, listsOf(whole), level, otherwise);
}

/// One of each entry's list.
Meaning Binder::at(const Meaning& whole, Value index) {
  const std::array operands{listsOf(whole), m_operators.asIndex(index), m_guard};
  const Value rows = m_operators.rows(Operation::rowsAt, operands, 1, 0);
  return selected(whole, rows, 1, m_guard.node != Node::none);
}

Meaning Binder::takenOf(const Meaning& whole, Value indices) {
  const std::array operands{listsOf(whole), m_operators.asIndex(indices)};
  const unsigned depth = m_operators.typeOf(indices).depth;
  return selected(whole, m_operators.rows(Operation::rowsTaken, operands, 1, depth), 1);
}

Meaning Binder::masked(const Meaning& whole, Value mask) {
  const unsigned depth = m_operators.typeOf(mask).depth;
  if (depth == 0 || depth > depthOf(whole))
    fail(ErrorKind::type,
         "a selection is a condition on each value, such as x[x > 20]; this one is " +
             nameOf(m_operators.typeOf(mask)));
  const std::array operands{listsOf(whole), mask};
  return selected(whole, m_operators.rows(Operation::rowsWhere, operands, depth, depth), depth);
}

Meaning Binder::index(const Syntax& syntax) {
  const Meaning whole = bind(syntax.children[0]);
  const Value index = value(syntax.children[1]);
  setPlace(syntax);
  if (depthOf(whole) == 0)
    fail(ErrorKind::type,
         quoted(textOf(m_tree->at(syntax.children[0]))) + " is not a list: there is one an entry");
  if (m_operators.typeOf(index).scalar == Scalar::Bool)
    return masked(whole, index);
  return m_operators.typeOf(index).depth == 0 ? at(whole, index) : takenOf(whole, index);
}

std::int32_t Binder::sliceBound(std::uint32_t node, std::int32_t otherwise) {
  if (node == Syntax::absent)
    return otherwise;
  const Value bound = value(node);
  setPlace(m_tree->at(node));
  if (!m_operators.isConstant(bound))
    fail(ErrorKind::type, "the bounds of a slice are integers that are written as numbers");
  const auto integer =
      static_cast<std::int64_t>(m_graph->at(m_operators.asIndex(bound).node).parameter);
  if (!std::in_range<std::int32_t>(integer))
    fail(ErrorKind::usage, "no list is that long");
  return static_cast<std::int32_t>(integer);
}

Meaning Binder::slice(const Syntax& syntax) {
  const Meaning whole = bind(syntax.children[0]);
  const std::int32_t begin = sliceBound(syntax.children[1], 0);
  const std::int32_t end = sliceBound(syntax.children[2], std::numeric_limits<std::int32_t>::max());
  setPlace(syntax);
  if (syntax.children.size() > 3 && syntax.children[3] != Syntax::absent)
    fail(ErrorKind::usage, "slices have no steps; x[argsort(...)] gives values in another order");
  const std::array operands{listsOf(whole)};
  return selected(whole,
                  m_operators.rows(Operation::rowsSliced, operands, 1, 1, packed(begin, end)), 1);
}

} // namespace kaon::expression
