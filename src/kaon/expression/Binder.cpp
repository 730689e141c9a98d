#include <kaon/expression/Binder.h>

#include <kaon/base/FloatText.h>
#include <kaon/base/Suggestion.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace kaon::expression {
namespace {

/// The greatest depth of definitions that refer to definitions.
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

Operators::Place Binder::placeOf(const Syntax& syntax) const {
  return {textOf(syntax),
          [text = m_tree->text, place = syntax.place](ErrorKind kind, const std::string& message) {
            failAt(kind, text, place, message);
          }};
}

Meaning Binder::meaningOf(std::string_view text) {
  const SyntaxTree tree = parse(text);
  const SyntaxTree* const before = std::exchange(m_tree, &tree);
  Meaning meaning = bind(tree.root);
  m_tree = before;
  return meaning;
}

Meaning Binder::aliasMeaning(const std::string& name, const std::string& text) {
  const std::pair key(name, m_selections.guard().node);
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
  if (++m_nesting > 2 * mostNesting) { // Definitions count, too.
    setPlace(syntax);
    fail(ErrorKind::usage, "parts and definitions are nested too deeply");
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
    // Names of an optional's stored columns are accepted, too.
    if (const Value optional = std::get<Value>(whole); optional.mayBeMissing()) {
      if (syntax.text == optionalValue)
        return optional;
      if (syntax.text == optionalPresence)
        return m_operators.has(optional);
    }
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
  fail(ErrorKind::type, "a text is not a number; use texts in comparisons with texts, or as the "
                        "name in column('...')");
}

Value Binder::value(std::uint32_t node) {
  return m_records.value(bind(node), placeOf(m_tree->at(node)));
}

Value Binder::number(const Syntax& syntax) {
  setPlace(syntax);
  std::string digits(syntax.text);
  std::erase(digits, '_');
  const char* const end = digits.data() + digits.size();
  if (syntax.kind == SyntaxKind::real) {
    double real = 0;
    const auto [last, error] = parseFloat(digits.data(), end, real);
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
  if (const std::optional<Meaning> meaning = m_records.named(name))
    return *meaning;
  if (name == "pi")
    return m_operators.literal(std::numbers::pi);
  std::vector<std::string> known = m_scope->names();
  if (Functions::has(name))
    fail(ErrorKind::name, quoted(name) + " is a function: " + name + "(...)");
  fail(ErrorKind::name, "there is no column or collection '" + name + "'" + m_scope->where() +
                            suggestion(name, known) + m_scope->whyUnread(name));
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
    return m_records.combined(syntax.text == "+" ? ExpressionRecordKind::sum
                                                 : ExpressionRecordKind::difference,
                              {*left, *right}, std::max((*left)->depth, (*right)->depth));
  }
  const Value x = m_records.value(a, placeOf(m_tree->at(syntax.children[0])));
  const Value y = m_records.value(b, placeOf(m_tree->at(syntax.children[1])));
  setPlace(syntax);
  if (syntax.text == "**")
    return m_operators.power(x, y);
  if (const auto operation = operationOf(bitSigns, syntax.text))
    return m_operators.bits(*operation, x, y);
  return m_operators.arithmetic(*operationOf(arithmeticSigns, syntax.text), x, y);
}

/// Returns an operand of a comparison: a value, or a text in quotes.
Value Binder::compared(std::uint32_t node) {
  const Syntax& syntax = m_tree->at(node);
  if (syntax.kind != SyntaxKind::string)
    return value(node);
  setPlace(syntax);
  return m_operators.text(syntax.text);
}

Value Binder::comparison(const Syntax& syntax) {
  Value left = compared(syntax.children[0]);
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
        fail(ErrorKind::usage, "no further comparison can follow a list of values");
    } else {
      const Value right = compared(syntax.children[i + 1]);
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
    const Value right = compared(child);
    setPlace(sequence);
    const Value isEqual = m_operators.comparison(Operation::equal, left, right);
    result = result.node == Node::none ? isEqual
                                       : m_operators.logical(Operation::logicalOr, result, isEqual);
  }
  return result;
}

/// Binds `and` and `or`. Errors in later conditions matter only in entries that the earlier
/// conditions do not decide.
Value Binder::joined(const Syntax& syntax) {
  const bool isAnd = syntax.kind == SyntaxKind::conjunction;
  Value result = value(syntax.children[0]);
  setPlace(m_tree->at(syntax.children[0]));
  result = m_operators.asBool(result);
  for (std::size_t i = 1; i < syntax.children.size(); ++i) {
    const Selections::Guard guard(m_selections, isAnd ? result : m_operators.inverted(result));
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
    const Selections::Guard guard(m_selections, when);
    return value(node);
  };
  const Value a = guarded(holds, yes), b = guarded(inverse, no);
  setPlace(m_tree->at(condition));
  return m_operators.choice(holds, a, b);
}

// ---- Lists and functions ----

Meaning Binder::index(const Syntax& syntax) {
  const Meaning whole = bind(syntax.children[0]);
  Value index = value(syntax.children[1]);
  setPlace(syntax);
  if (m_operators.typeOf(index).scalar == Scalar::Bool)
    index = m_operators.asBool(index);
  if (m_selections.depthOf(whole) == 0)
    fail(ErrorKind::type, quoted(textOf(m_tree->at(syntax.children[0]))) +
                              " is not a list: it has one value in each entry");
  const detail::ColumnType type = m_operators.typeOf(index);
  if (type.scalar == Scalar::Bool)
    return m_selections.masked(whole, index);
  return type.depth == 0 ? m_selections.at(whole, index) : m_selections.taken(whole, index);
}

std::int32_t Binder::sliceBound(std::uint32_t node, std::int32_t otherwise) {
  if (node == Syntax::absent)
    return otherwise;
  const Value bound = value(node);
  setPlace(m_tree->at(node));
  const std::optional<std::int64_t> integer = m_operators.writtenInteger(bound);
  if (!integer)
    fail(ErrorKind::type, "the bounds of a slice must be integers written as numbers");
  if (!std::in_range<std::int32_t>(*integer))
    fail(ErrorKind::usage, "a bound of a slice must fit into int32");
  return static_cast<std::int32_t>(*integer);
}

Meaning Binder::slice(const Syntax& syntax) {
  const Meaning whole = bind(syntax.children[0]);
  const std::int32_t begin = sliceBound(syntax.children[1], 0);
  const std::int32_t end = sliceBound(syntax.children[2], std::numeric_limits<std::int32_t>::max());
  setPlace(syntax);
  if (syntax.children.size() > 3 && syntax.children[3] != Syntax::absent)
    fail(ErrorKind::usage, "slices have no steps; x[argsort(...)] gives values in another order");
  return m_selections.slice(whole, begin, end);
}

Meaning Binder::call(const Syntax& syntax) {
  setPlace(syntax);
  m_functions.check(syntax.text, syntax.children.size());
  if (syntax.text == "where")
    return conditional(syntax.children[0], syntax.children[1], syntax.children[2]);
  if (syntax.text == "column")
    return columnNamed(m_tree->at(syntax.children[0]));
  std::vector<CallArgument> arguments;
  for (const std::uint32_t argument : syntax.children)
    arguments.push_back({bind(argument), placeOf(m_tree->at(argument))});
  setPlace(syntax);
  return m_functions.call(syntax.text, arguments);
}

/// Binds column('a name'), for names that are not words.
Meaning Binder::columnNamed(const Syntax& text) {
  if (text.kind != SyntaxKind::string)
    fail(ErrorKind::usage, "column() takes a name in quotes");
  const std::string name(text.text);
  if (const std::optional<Meaning> meaning = m_records.named(name))
    return *meaning;
  fail(ErrorKind::name, "there is no column '" + name + "'" + m_scope->where() +
                            suggestion(name, m_scope->names()) + m_scope->whyUnread(name));
}

} // namespace kaon::expression
