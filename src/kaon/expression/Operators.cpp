#include <kaon/expression/Operators.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/expression/Elementwise.h>
#include <kaon/expression/Token.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace kaon::expression {
namespace {

bool isUnsigned(Scalar type) {
  return type == Scalar::Bool || type == Scalar::UInt8 || type == Scalar::UInt16 ||
         type == Scalar::UInt32 || type == Scalar::UInt64;
}

/// Returns the rank of a type in Python's order: bool, int, float.
int kindOf(Scalar type) { return isFloat(type) ? 2 : type == Scalar::Bool ? 0 : 1; }

/// Returns the type for arithmetic with values of a type.
Scalar arithmeticTypeOf(Scalar type) {
  return isFloat(type) || type == Scalar::UInt64 ? type : Scalar::Int64;
}

/// Returns the type for float formulas with an operand of a type.
Scalar floatTypeOf(Scalar type) { return type == Scalar::Float32 ? type : Scalar::Float64; }

/// Returns the type for arithmetic with two columns by NumPy's rules.
Scalar promoted(Scalar a, Scalar b) {
  if (isFloat(a) && isFloat(b))
    return a == b ? a : Scalar::Float64;
  if (isFloat(a) || isFloat(b)) {
    const Scalar floats = isFloat(a) ? a : b, integers = isFloat(a) ? b : a;
    return sizeOf(integers) <= 2 ? floats : Scalar::Float64; // float32 holds all 16-bit integers.
  }
  if (a == Scalar::UInt64 || b == Scalar::UInt64)
    return isUnsigned(a) && isUnsigned(b) ? Scalar::UInt64 : Scalar::Float64;
  return Scalar::Int64;
}

} // namespace

void Operators::fail(ErrorKind kind, const std::string& message) const {
  if (m_place.complain)
    m_place.complain(kind, message);
  throw Error(kind, message);
}

// ---- Constants ----

template <class T>
std::uint64_t Operators::bytesOf(T value) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &value, sizeof value);
  return bytes;
}
template std::uint64_t Operators::bytesOf(bool);
template std::uint64_t Operators::bytesOf(std::int64_t);
template std::uint64_t Operators::bytesOf(std::uint64_t);
template std::uint64_t Operators::bytesOf(double);

std::uint32_t Operators::constant(Scalar type, std::uint64_t bytes) {
  return m_graph->add({.operation = Operation::constant, .type = {type, 0}, .parameter = bytes},
                      text());
}

template <class T>
T Operators::constantAs(Value a) const {
  return withScalar(typeOf(a).scalar, [&](auto zero) {
    std::memcpy(&zero, &m_graph->at(a.node).parameter, sizeof zero);
    return static_cast<T>(zero);
  });
}

Value Operators::text(std::string_view characters) {
  return {m_graph->addText(characters, text())};
}

Value Operators::nothing(Scalar type) {
  Value nothing{constant(type, 0), true};
  if (isFloat(type))
    nothing = converted(literal(std::numeric_limits<double>::quiet_NaN()), type);
  nothing.isNothing = true;
  return nothing;
}

// ---- Types ----

/// Returns whether an integer type can hold an integer literal.
bool Operators::fits(Value literal, Scalar type) const {
  if (scalarOfValue(literal) == Scalar::UInt64)
    return type == Scalar::UInt64; // only literals beyond int64 have this type
  const auto value = constantAs<std::int64_t>(literal);
  return withScalar(type, [value](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      return false;
    else
      return std::in_range<T>(value);
  });
}

Scalar Operators::arithmeticType(Value a, Value b) const {
  if (a.isLiteral == b.isLiteral)
    return promoted(scalarOfValue(a), scalarOfValue(b));
  const Value number = a.isLiteral ? a : b, column = a.isLiteral ? b : a;
  const Scalar type = scalarOfValue(column);
  if (kindOf(scalarOfValue(number)) > kindOf(type))
    return arithmeticTypeOf(scalarOfValue(number));
  if (type == Scalar::UInt64 && !fits(number, type))
    return Scalar::Float64;
  if (kindOf(type) < 2 && scalarOfValue(number) == Scalar::UInt64)
    return promoted(type, Scalar::UInt64);
  return arithmeticTypeOf(type);
}

Scalar Operators::comparisonType(Value a, Value b) const {
  if (scalarOfValue(a) == scalarOfValue(b))
    return scalarOfValue(a);
  if (a.isLiteral != b.isLiteral) {
    const Value number = a.isLiteral ? a : b;
    const Scalar type = scalarOfValue(a.isLiteral ? b : a);
    const bool isInteger = kindOf(type) == 1 && kindOf(scalarOfValue(number)) < 2;
    if (isInteger && fits(number, type))
      return type; // avoids a conversion of the column
  }
  return arithmeticType(a, b);
}

Value Operators::converted(Value a, Scalar type) {
  if (scalarOfValue(a) == type)
    return a;
  requireNumbers(a);
  if (a.mayBeMissing())
    return presentOf(converted(a.stored(), type), std::array{a});
  if (isConstant(a)) { // Kernels convert to types of arithmetic only.
    const Scalar wide = kindOf(type) == 2        ? Scalar::Float64
                        : type == Scalar::UInt64 ? Scalar::UInt64
                                                 : Scalar::Int64;
    if (type != wide && type != Scalar::Bool && type != Scalar::Float32) {
      const auto value = constantAs<std::int64_t>(converted(a, wide));
      return withScalar(type, [&](auto zero) -> Value {
        return {
            constant(type, bytesOf(static_cast<std::int64_t>(static_cast<decltype(zero)>(value))) &
                               (~std::uint64_t{0} >> (64 - 8 * sizeof zero))),
            a.isLiteral};
      });
    }
  }
  return folded({.operation = Operation::convert, .type = {type, typeOf(a).depth}}, std::array{a});
}

void Operators::unify(Value& a, Value& b) {
  requireNumbers(a);
  requireNumbers(b);
  const Scalar type = comparisonType(a, b);
  a = converted(a, type);
  b = converted(b, type);
}

bool Operators::isCondition(Value a) const {
  const Operation operation = m_graph->at(a.node).operation;
  return (operation >= Operation::logicalAnd && operation <= Operation::notEqual) ||
         operation == Operation::logicalNot || operation == Operation::compareTexts ||
         operation == Operation::isNan || operation == Operation::isFinite;
}

Value Operators::asBool(Value a) {
  const Scalar type = scalarOfValue(a);
  if (type == Scalar::Bool && a.mayBeMissing()) // Missing values count as false.
    return logical(Operation::logicalAnd, a.stored(), presence(a));
  if (type == Scalar::Bool)
    return a;
  if (isFloat(type))
    fail(ErrorKind::type, "a condition is needed here, but '" + m_graph->textOf(a.node) +
                              "' is a float; compare it with something, as in '" +
                              m_graph->textOf(a.node) + " > 0'");
  return comparison(Operation::notEqual, a, literal(std::int64_t{0}));
}

Value Operators::asIndex(Value a) {
  const Scalar type = scalarOfValue(a);
  if (isFloat(type) || type == Scalar::Bool)
    fail(ErrorKind::type, "an index must be an integer, but this is " + nameOf(typeOf(a)));
  if (a.mayBeMissing())
    fail(ErrorKind::type,
         "an index must not be missing; write default(" + m_graph->textOf(a.node) + ", -1)");
  return converted(a, Scalar::Int64);
}

std::optional<std::int64_t> Operators::writtenInteger(Value a) {
  if (!isConstant(a))
    return std::nullopt;
  return constantAs<std::int64_t>(asIndex(a));
}

// ---- Value by value ----

/// Returns whether the result of an operation on integer literals exceeds int64.
bool Operators::overflows(Operation operation, std::span<const Value> operands) const {
  const auto a = constantAs<std::int64_t>(operands[0]);
  const auto b = operands.size() > 1 ? constantAs<std::int64_t>(operands[1]) : 0;
  std::int64_t result = 0;
  switch (operation) {
  case Operation::negate:
    return __builtin_sub_overflow(std::int64_t{0}, a, &result);
  case Operation::add:
    return __builtin_add_overflow(a, b, &result);
  case Operation::subtract:
    return __builtin_sub_overflow(a, b, &result);
  case Operation::multiply:
    return __builtin_mul_overflow(a, b, &result);
  case Operation::shiftLeft:
    return a != 0 && (b < 0 || b > 62 || (a << b) >> b != a);
  default:
    return false;
  }
}

Value Operators::step(Node node, std::span<const Value> operands) {
  for (const Value operand : operands)
    if (operand.mayBeMissing()) {
      const std::string& text = m_graph->textOf(operand.node);
      fail(ErrorKind::type, quoted(text) +
                                " may be missing, which is not allowed here; write default(" +
                                text + ", value)");
    }
  std::ranges::transform(operands, node.operands.begin(), &Value::node);
  return {m_graph->add(node, text())};
}

/// Adds a step, or computes it at once if all operands are constant.
Value Operators::folded(const Node& node, std::span<const Value> operands) {
  if (!std::ranges::all_of(operands, [this](Value operand) { return isConstant(operand); }))
    return step(node, operands);
  const bool isLiteral = std::ranges::all_of(operands, &Value::isLiteral);
  if (isLiteral && node.type.scalar == Scalar::Int64 &&
      scalarOfValue(operands[0]) == Scalar::Int64 && overflows(node.operation, operands))
    fail(ErrorKind::usage, "this integer is beyond 64 bits; write a float");
  ElementwiseOperands work;
  for (std::size_t i = 0; i < operands.size(); ++i)
    work.values[i] = detail::bytesAt(&m_graph->at(operands[i].node).parameter);
  std::uint64_t result = 0;
  work.result = detail::bytesAt(&result);
  work.size = 1;
  const Scalar type = scalarOfValue(operands.back());
  elementwiseKernel(node.operation, type, node.type.scalar)(work);
  return {constant(node.type.scalar, result), isLiteral};
}

Value Operators::spreadOver(Value value, Value lists, unsigned depth) {
  const std::string text = m_graph->textOf(value.node);
  return {m_graph->add({.operation = Operation::spread,
                        .type = {scalarOfValue(value), depth},
                        .operands = {value.node, lists.node, Node::none, Node::none}},
                       text)};
}

/// Adds a step with operands of the types that its kernel takes. Operands in fewer lists are
/// repeated for the values of the others.
Value Operators::elementwise(Operation operation, Scalar type, std::span<const Value> operands) {
  if (std::ranges::any_of(operands, &Value::mayBeMissing)) {
    std::array<Value, 4> stored{};
    std::ranges::transform(operands, stored.begin(), &Value::stored);
    return presentOf(elementwise(operation, type, std::span(stored).first(operands.size())),
                     operands);
  }
  Value deepest = operands[0];
  std::ranges::for_each(operands, [this](Value operand) { requireNumbers(operand); });
  for (const Value operand : operands)
    if (typeOf(operand).depth > typeOf(deepest).depth)
      deepest = operand;
  const Node node{.operation = operation, .type = {type, typeOf(deepest).depth}};
  std::array<Value, 4> spread{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Value& value = spread[i] = operands[i];
    if (!isConstant(value) && typeOf(value).depth < node.type.depth)
      value = spreadOver(value, listsOf(deepest), node.type.depth);
  }
  return folded(node, std::span(spread).first(operands.size()));
}

// ---- Missing values ----

/// Returns whether bools `step` are true only where bools `other` are true.
bool Operators::implies(std::uint32_t step, std::uint32_t other) const {
  if (step == other)
    return true;
  if (step == Node::none || m_graph->at(step).operation != Operation::logicalAnd)
    return false;
  const auto operands = std::span(m_graph->at(step).operands).first(2);
  return std::ranges::any_of(operands, [&](std::uint32_t each) { return implies(each, other); });
}

Value Operators::both(Value present, Value further) {
  if (present.node == Node::none || implies(further.node, present.node))
    return further;
  if (further.node == Node::none || implies(present.node, further.node))
    return present;
  return logical(Operation::logicalAnd, present, further);
}

/// Marks a result as missing where an operand is missing. A missing operand in fewer lists makes
/// all values in these lists missing. Tests of missing values are false.
Value Operators::presentOf(Value result, std::span<const Value> operands) {
  const unsigned depth = typeOf(result).depth;
  Value present, lists;
  for (const Value operand : operands) {
    if (!operand.mayBeMissing())
      continue;
    if (typeOf(operand).depth < depth) {
      present = both(present, presence(operand));
    } else {
      present = both(present, {operand.present});
      lists = both(lists, {operand.presentLists});
    }
  }
  const Operation operation = m_graph->at(result.node).operation;
  const bool isTest = operation == Operation::isNan || operation == Operation::isFinite ||
                      (operation >= Operation::less && operation <= Operation::notEqual);
  if (isTest)
    return both(lists, both(present, result));
  // All values are missing together.
  if (present.node != Node::none && typeOf(present).depth < depth)
    present = spreadOver(present, listsOf(result), depth);
  for (const Value further : {present, lists})
    if (further.node != Node::none)
      result = missingUnless(result, further);
  return result;
}

Value Operators::missingUnless(Value a, Value present) {
  if (typeOf(present).depth < typeOf(a).depth)
    a.presentLists = both({a.presentLists}, present).node;
  else
    a.present = both({a.present}, present).node;
  return a;
}

Value Operators::presenceAt(Value a, unsigned depth) {
  const Value present{a.presentLists};
  return typeOf(present).depth == depth ? present : spreadOver(present, listsOf(a), depth);
}

Value Operators::presence(Value a) {
  if (a.mayLackLists())
    return both(presenceAt(a, typeOf(a).depth), {a.present});
  if (a.mayBeMissing())
    return {a.present};
  const std::array same{a, a}; // compared with itself, only for its lists
  const Value isEqual = elementwise(Operation::equal, Scalar::Bool, same);
  return elementwise(Operation::logicalOr, Scalar::Bool, {isEqual, literal(true)});
}

Value Operators::has(Value a) {
  return a.mayLackLists() && a.present == Node::none ? Value{a.presentLists} : presence(a);
}

Value Operators::withDefault(Value a, Value otherwise) {
  return a.mayBeMissing() ? choice(has(a), a.stored(), otherwise) : a;
}

/// Returns the existing values of each innermost list.
Value Operators::presentOnly(Value lists) {
  if (!lists.mayBeMissing())
    return lists;
  const unsigned depth = typeOf(lists).depth;
  const Value all = listsOf(lists);
  const std::array operands{all, presence(lists)};
  return gathered(lists.stored(), rows(Operation::rowsWhere, operands, depth, depth), all, depth,
                  {});
}

Value Operators::arithmetic(Operation operation, Value a, Value b) {
  Scalar type = arithmeticType(a, b);
  if (operation == Operation::divide)
    type = floatTypeOf(type);
  return elementwise(operation, type, {converted(a, type), converted(b, type)});
}

Value Operators::extreme(Operation operation, Value a, Value b) {
  if (isFloat(scalarOfValue(a)) || isFloat(scalarOfValue(b)) || !isFloat(arithmeticType(a, b)))
    return arithmetic(operation, a, b);
  // int64 can hold the lesser of the two, uint64 the greater.
  const bool isLeast = operation == Operation::minimum;
  const Scalar type = isLeast ? Scalar::Int64 : Scalar::UInt64;
  const Value x = a.stored(), y = b.stored();
  const Value isFirst = comparison(isLeast ? Operation::less : Operation::greater, x, y);
  const Value result = choice(isFirst, converted(x, type), converted(y, type));
  return a.mayBeMissing() || b.mayBeMissing() ? presentOf(result, std::array{a, b}) : result;
}

Value Operators::power(Value a, Value b) {
  // Higher powers overflow for all integers but -1, 0 and 1.
  constexpr std::int64_t mostFactors = 64;
  const bool isWhole = isConstant(b) && kindOf(scalarOfValue(b)) < 2 && fits(b, Scalar::Int64);
  const std::int64_t exponent = isWhole ? constantAs<std::int64_t>(b) : -1;
  const bool isInteger = !isFloat(scalarOfValue(a));
  if (exponent == 2 || (isInteger && exponent >= 1 && exponent <= mostFactors)) {
    Value factor = converted(a, arithmeticTypeOf(scalarOfValue(a)));
    Value product{};
    for (std::int64_t rest = exponent; rest > 0; rest /= 2) {
      if (rest % 2 == 1)
        product =
            product.node == Node::none ? factor : arithmetic(Operation::multiply, product, factor);
      if (rest > 1)
        factor = arithmetic(Operation::multiply, factor, factor);
    }
    return product;
  }
  const std::array operands{a, b};
  return formula(Operation::power, operands);
}

Value Operators::comparison(Operation operation, Value a, Value b) {
  if (typeOf(a).isText || typeOf(b).isText)
    return textComparison(operation, a, b);
  const Scalar type = comparisonType(a, b);
  if (isFloat(type) && !isFloat(scalarOfValue(a)) && !isFloat(scalarOfValue(b)))
    return mixedComparison(operation, a, b);
  return elementwise(operation, Scalar::Bool, {converted(a, type), converted(b, type)});
}

/// Compares a signed integer with a uint64, which no type can both represent. Negative values are
/// less than all of uint64; uint64 can represent all others.
Value Operators::mixedComparison(Operation operation, Value a, Value b) {
  const bool isFirst = scalarOfValue(b) == Scalar::UInt64; // the signed operand is the first
  const bool isLess = operation == Operation::less || operation == Operation::lessEqual;
  const bool isGreater = operation == Operation::greater || operation == Operation::greaterEqual;
  const bool isTrueOfNegative = operation == Operation::notEqual || (isFirst ? isLess : isGreater);
  const Value ofOthers = elementwise(operation, Scalar::Bool,
                                     {converted(a, Scalar::UInt64), converted(b, Scalar::UInt64)});
  const Value isNegative = comparison(Operation::less, isFirst ? a : b, literal(std::int64_t{0}));
  return isTrueOfNegative ? logical(Operation::logicalOr, isNegative, ofOthers)
                          : logical(Operation::logicalAnd, inverted(isNegative), ofOthers);
}

/// Compares texts, or lists of bytes with texts. A text in fewer lists is compared with all texts
/// in its lists.
Value Operators::textComparison(Operation operation, Value a, Value b) {
  if (a.mayLackLists() || b.mayLackLists())
    return missingUnless(textComparison(operation, a.withLists(), b.withLists()),
                         both({a.presentLists}, {b.presentLists}));
  for (const Value value : {a, b}) {
    const detail::ColumnType type = typeOf(value);
    if (type.depth == 0 || sizeOf(type.scalar) != 1 || type.scalar == Scalar::Bool)
      fail(ErrorKind::type, quoted(m_graph->textOf(value.node)) + " is " + nameOf(type) +
                                ", not a text to be compared with one");
  }
  const unsigned depth = std::max(typeOf(a).depth, typeOf(b).depth) - 1;
  return step({.operation = Operation::compareTexts,
               .type = {Scalar::Bool, depth},
               .parameter = static_cast<std::uint64_t>(operation)},
              {a, b});
}

Value Operators::bits(Operation operation, Value a, Value b) {
  const Scalar typeA = scalarOfValue(a), typeB = scalarOfValue(b);
  const bool isShift = operation == Operation::shiftLeft || operation == Operation::shiftRight;
  if (typeA == Scalar::Bool && typeB == Scalar::Bool && !isShift)
    return elementwise(operation, Scalar::Bool, {asBool(a), asBool(b)});
  const Scalar type = arithmeticType(a, b);
  if (isFloat(type) && !isFloat(typeA) && !isFloat(typeB))
    fail(ErrorKind::type, "no integer type has the values of both " + nameOf(typeOf(a)) + " and " +
                              nameOf(typeOf(b)) + "; convert one of them to int64 with int(...)");
  if (isFloat(type))
    fail(ErrorKind::type,
         "'&', '|', '^', '<<' and '>>' are for bools and integers, but these are " +
             nameOf(typeOf(a)) + " and " + nameOf(typeOf(b)) +
             "; they bind closer than comparisons: write 'and' or 'or', or put "
             "comparisons in parentheses");
  return elementwise(operation, type, {converted(a, type), converted(b, type)});
}

Value Operators::logical(Operation operation, Value a, Value b) {
  return elementwise(operation, Scalar::Bool, {asBool(a), asBool(b)});
}

Value Operators::inverted(Value a) {
  return elementwise(Operation::logicalNot, Scalar::Bool, {asBool(a)});
}

Value Operators::complement(Value a) {
  const Scalar type = scalarOfValue(a);
  if (type == Scalar::Bool)
    return inverted(a);
  if (isFloat(type))
    fail(ErrorKind::type, "'~' is for bools and integers, but this is " + nameOf(typeOf(a)));
  return elementwise(Operation::invert, arithmeticTypeOf(type),
                     {converted(a, arithmeticTypeOf(type))});
}

Value Operators::negative(Value a) {
  if (a.isLiteral && scalarOfValue(a) == Scalar::UInt64) { // parsed without its sign
    constexpr auto least = std::numeric_limits<std::int64_t>::lowest();
    if (constantAs<std::uint64_t>(a) != static_cast<std::uint64_t>(least))
      fail(ErrorKind::usage, "this integer is beyond 64 bits; write a float");
    return literal(least);
  }
  const Scalar type = arithmeticTypeOf(scalarOfValue(a));
  return elementwise(Operation::negate, type, {converted(a, type)});
}

Value Operators::absolute(Value a) {
  const Scalar type = arithmeticTypeOf(scalarOfValue(a));
  return elementwise(Operation::absolute, type, {converted(a, type)});
}

Value Operators::choice(Value condition, Value a, Value b) {
  unify(a, b);
  condition = asBool(condition);
  Value result =
      elementwise(Operation::where, scalarOfValue(a), {condition, a.stored(), b.stored()});
  // A value that is taken only where it exists cannot be missing.
  if (a.present == condition.node)
    a.present = Node::none;
  if (a.presentLists == condition.node)
    a.presentLists = Node::none;
  const Value always = literal(true);
  const auto chosen = [&](Value first, Value second) {
    return elementwise(Operation::where, Scalar::Bool,
                       {condition, first.node == Node::none ? always : first,
                        second.node == Node::none ? always : second});
  };
  // Lists are missing as a whole if the condition chooses whole lists.
  const unsigned depth = typeOf(result).depth;
  const auto areLists = [&](Value value) {
    return value.mayLackLists() && typeOf(value).depth == depth &&
           typeOf(condition).depth <= typeOf({value.presentLists}).depth;
  };
  const auto inValues = [&](Value value) {
    const bool isAbove = value.mayBeMissing() && typeOf(value).depth < depth;
    return isAbove || (value.mayLackLists() && !areLists(value)) ? presence(value)
                                                                 : Value{value.present};
  };
  const Value first = inValues(a), second = inValues(b);
  const Value firstLists = areLists(a) ? Value{a.presentLists} : Value{};
  const Value secondLists = areLists(b) ? Value{b.presentLists} : Value{};
  if (first.node != Node::none || second.node != Node::none) {
    Value present = chosen(first, second);
    if (typeOf(present).depth < depth)
      present = spreadOver(present, listsOf(result), depth);
    result = missingUnless(result, present);
  }
  if (firstLists.node != Node::none || secondLists.node != Node::none)
    result = missingUnless(result, chosen(firstLists, secondLists));
  return result;
}

Value Operators::formulaAs(Operation operation, Scalar type, std::span<const Value> operands) {
  std::array<Value, 4> values{};
  for (std::size_t i = 0; i < operands.size(); ++i)
    values[i] = converted(operands[i], type);
  const bool isTest = operation == Operation::isNan || operation == Operation::isFinite;
  return elementwise(operation, isTest ? Scalar::Bool : type,
                     std::span(values).first(operands.size()));
}

Value Operators::formula(Operation operation, std::span<const Value> operands) {
  bool isNarrow = false, isWide = false;
  for (const Value operand : operands)
    if (!operand.isLiteral)
      (scalarOfValue(operand) == Scalar::Float32 ? isNarrow : isWide) = true;
  return formulaAs(operation, isNarrow && !isWide ? Scalar::Float32 : Scalar::Float64, operands);
}

Value Operators::exactFormula(Operation operation, std::span<const Value> operands) {
  return formulaAs(operation, Scalar::Float64, operands);
}

// ---- Units ----

/// Returns the column whose unit a momentum, energy or mass has; nothing if no unit is known.
std::uint32_t Operators::columnWithUnit(std::uint32_t step) const {
  if (step == Node::none)
    return Node::none;
  const Node& node = m_graph->at(step);
  switch (node.operation) {
  case Operation::input:
    return m_units.contains(step) ? step : Node::none;
  case Operation::add:
  case Operation::subtract:
  case Operation::pt:
  case Operation::p:
  case Operation::energy:
  case Operation::mass:
    for (const std::uint32_t operand : node.operands)
      if (const std::uint32_t column = columnWithUnit(operand); column != Node::none)
        return column;
    return Node::none;
  case Operation::convert:
  case Operation::spread:
  case Operation::gather:
  case Operation::sum:
  case Operation::px: // of pt and phi
  case Operation::py:
  case Operation::pz:
    return columnWithUnit(node.operands[0]);
  default:
    return Node::none;
  }
}

void Operators::requireOneUnit(std::span<const Value> operands) const {
  std::uint32_t first = Node::none;
  for (const Value operand : operands) {
    const std::uint32_t column = columnWithUnit(operand.node);
    if (first == Node::none)
      first = column;
    if (column != Node::none && m_units.at(column) != m_units.at(first))
      fail(ErrorKind::type, quoted(m_graph->textOf(first)) + " is in " + m_units.at(first) +
                                ", but " + quoted(m_graph->textOf(column)) + " is in " +
                                m_units.at(column) +
                                "; define members in one unit, as in 'Muon.px * 0.001'");
  }
}

void Operators::requireGeV(Value momentum) const {
  const std::uint32_t column = columnWithUnit(momentum.node);
  if (column != Node::none && m_units.at(column) != "GeV")
    fail(ErrorKind::type, quoted(m_graph->textOf(column)) + " is in " + m_units.at(column) +
                              ", but the masses of particles are in GeV; define members in one "
                              "unit, as in 'Muon.px * 0.001'");
}

// ---- Lists ----

void Operators::requireLists(Value a, const char* what) const {
  if (typeOf(a).depth == 0)
    fail(ErrorKind::type, std::string(what) + " needs lists, but '" + m_graph->textOf(a.node) +
                              "' is " + nameOf(typeOf(a)));
}

void Operators::requireNumbers(Value a) const {
  if (typeOf(a).isText)
    fail(ErrorKind::type, "'" + m_graph->textOf(a.node) + "' is " + withArticle(nameOf(typeOf(a))) +
                              ", not a number; texts are compared with each other: " +
                              m_graph->textOf(a.node) + " == '...'");
}

Value Operators::reduction(Operation operation, Value a) {
  requireLists(a, "this function");
  requireNumbers(a);
  if (a.mayLackLists()) // Results for missing lists are missing.
    return missingUnless(reduction(operation, a.withLists()), {a.presentLists});
  const bool isIndex =
      operation == Operation::indexOfLeast || operation == Operation::indexOfGreatest;
  if (a.mayBeMissing() && isIndex) { // from an index among existing values
    const unsigned depth = typeOf(a).depth;
    const Value places = presentOnly({indices(listsOf(a), depth).node, false, a.present});
    const std::array operands{listsOf(places), reduction(operation, presentOnly(a))};
    return gathered(places, rows(Operation::rowsAtOrNone, operands, depth, depth - 1),
                    listsOf(places), depth, literal(std::int64_t{-1}));
  }
  if (a.mayBeMissing())
    return reduction(operation, presentOnly(a));
  const Scalar type = scalarOfValue(a);
  Scalar result = type;
  if (type == Scalar::Bool && operation == Operation::least)
    operation = Operation::all;
  if (type == Scalar::Bool && operation == Operation::greatest)
    operation = Operation::any;
  switch (operation) {
  case Operation::any:
  case Operation::all:
    a = asBool(a);
    result = Scalar::Bool;
    break;
  case Operation::sum:
  case Operation::product:
    result = isFloat(type)                              ? type
             : isUnsigned(type) && type != Scalar::Bool ? Scalar::UInt64
                                                        : Scalar::Int64;
    break;
  case Operation::mean:
    result = Scalar::Float64;
    break;
  case Operation::indexOfLeast:
  case Operation::indexOfGreatest:
    result = Scalar::Int64;
    break;
  default:
    break;
  }
  return step({.operation = operation, .type = {result, typeOf(a).depth - 1}}, {a});
}

Value Operators::count(Value lists, unsigned level) {
  const Node node = m_graph->at(lists.node);
  // The number of true values of the mask; the rows are not needed.
  if (node.operation == Operation::rowsWhere && level == node.type.depth &&
      listsOf({node.operands[1]}).node == node.operands[0])
    return reduction(Operation::sum, {node.operands[1]});
  return step(
      {.operation = Operation::count, .type = {Scalar::Int64, level - 1}, .parameter = level},
      {lists});
}

Value Operators::indices(Value lists, unsigned level) {
  return step({.operation = Operation::indices, .type = {Scalar::Int64, level}, .parameter = level},
              {lists});
}

Value Operators::inOrder(Operation operation, Value a) {
  requireLists(a, "this function");
  requireNumbers(a);
  if (a.mayLackLists())
    return missingUnless(inOrder(operation, a.withLists()), {a.presentLists});
  const bool isIndex = operation == Operation::sortedIndices;
  const Scalar type = isIndex ? Scalar::Int64 : scalarOfValue(a);
  return step({.operation = operation, .type = {type, typeOf(a).depth}}, {a});
}

Value Operators::concatenated(Value a, Value b) {
  if (!typeOf(a).isText || !typeOf(b).isText)
    unify(a, b);
  if (a.mayLackLists() || b.mayLackLists())
    return missingUnless(concatenated(a.withLists(), b.withLists()),
                         both({a.presentLists}, {b.presentLists}));
  if (typeOf(a).depth != 1 || !(typeOf(a) == typeOf(b)))
    fail(ErrorKind::type, "concatenate() needs lists of one type, one in each entry, not " +
                              nameOf(typeOf(a)) + " and " + nameOf(typeOf(b)));
  const Value result =
      step({.operation = Operation::concatenate, .type = typeOf(a)}, {a.stored(), b.stored()});
  if (!a.mayBeMissing() && !b.mayBeMissing())
    return result;
  return missingUnless(result, concatenated(presence(a), presence(b)));
}

Value Operators::column(const ColumnName& column, std::string_view text) {
  const std::uint32_t node =
      m_graph->addInput({column.name, column.type, false}, text.empty() ? column.name : text);
  if (!column.table.empty())
    m_tables[node] = column.table;
  if (!column.unit.empty())
    m_units[node] = column.unit;
  return {node};
}

Value Operators::listsOfTable(const std::string& table, unsigned depth) {
  return {m_graph->addInput({table, {Scalar::Bool, depth}, true}, table)};
}

Value Operators::listsOf(Value a) {
  a = a.stored();
  const Node node = m_graph->at(a.node); // A copy, because further steps may be added.
  const unsigned depth = node.type.depth;
  if (isElementwise(node.operation)) {
    for (const std::uint32_t operand : node.operands)
      if (operand != Node::none && m_graph->at(operand).type.depth == depth)
        return listsOf({operand});
    return a;
  }
  switch (node.operation) {
  case Operation::input:
    if (const auto table = m_tables.find(a.node); table != m_tables.end())
      return listsOfTable(table->second, depth);
    return a;
  case Operation::spread:
  case Operation::rowsTaken:
  case Operation::rowsTakenOrNone:
  case Operation::rowsRelated:
    return listsOf({node.operands[1]});
  case Operation::rowsPairedBehind:
    return {node.operands[2]};
  case Operation::rowsCombined:
    return node.operands[1] != Node::none ? Value{node.operands[1]} : a;
  case Operation::sort:
  case Operation::sortedIndices:
    return listsOf({node.operands[0]});
  case Operation::indices: // Other indices are of texts, whose characters are lists, too.
    return depth == m_graph->at(node.operands[0]).type.depth ? listsOf({node.operands[0]}) : a;
  case Operation::gather: // The lists of the rows, if the values' lists need no check.
    if (depth == m_graph->at(node.operands[1]).type.depth &&
        m_graph->at(node.operands[0]).type.depth == m_graph->at(node.operands[2]).type.depth &&
        listsOf({node.operands[0]}).node == listsOf({node.operands[2]}).node)
      return listsOf({node.operands[1]});
    return a;
  default:
    return a;
  }
}

Value Operators::rows(Operation operation, std::span<const Value> operands, unsigned level,
                      unsigned depth, std::uint64_t detail) {
  return step({.operation = operation,
               .type = {Scalar::UInt32, depth},
               .parameter = level,
               .detail = detail},
              operands);
}

Value Operators::gathered(Value a, Value rows, Value lists, unsigned level, Value otherwise) {
  const unsigned depth = typeOf(rows).depth + typeOf(a).depth - level;
  const bool isText = typeOf(a).isText && level < typeOf(a).depth; // else single characters
  if (depth > detail::mostListLevels)
    fail(ErrorKind::usage,
         "lists would be nested more than " + std::to_string(detail::mostListLevels) + " deep");
  if (a.mayLackLists() || otherwise.mayLackLists())
    return gatheredLists(a, rows, lists, level, otherwise);
  if (a.mayBeMissing() || otherwise.mayBeMissing()) {
    Value present = otherwise;
    if (otherwise.node != Node::none && !otherwise.mayBeMissing())
      present = literal(!otherwise.isNothing);
    else if (otherwise.node != Node::none)
      present = presence(otherwise);
    return missingUnless(gathered(a.stored(), rows, lists, level, otherwise.stored()),
                         gathered(presence(a), rows, lists, level, present));
  }
  return step({.operation = Operation::gather,
               .type = {scalarOfValue(a), depth, isText},
               .parameter = level},
              {a, rows, lists, otherwise});
}

/// Gathers lists that may be missing as a whole, or their values.
Value Operators::gatheredLists(Value a, Value rows, Value lists, unsigned level, Value otherwise) {
  const Value present{a.presentLists};
  if (a.mayLackLists() && typeOf(present).depth < level) // A missing list has no values.
    return missingUnless(gathered(a.withLists(), rows, lists, level, otherwise), present);
  const bool isOfValues = typeOf(a).depth == level; // Values become lists of the result.
  const unsigned depth = typeOf(rows).depth;
  const auto levelOf = [&](Value value, unsigned outside) {
    return value.mayLackLists() ? typeOf({value.presentLists}).depth - outside : 0;
  };
  const unsigned own = levelOf(a, level), other = levelOf(otherwise, depth);
  const bool haveSameLists = !a.mayLackLists() || !otherwise.mayLackLists() || own == other;
  if (isOfValues || !haveSameLists) {
    const auto inValues = [this](Value value) {
      return value.mayBeMissing() ? missingUnless(value.stored(), presence(value)) : value;
    };
    return gathered(inValues(a), rows, lists, level, inValues(otherwise));
  }
  const unsigned inside = a.mayLackLists() ? own : other;
  const auto presenceOf = [&](Value value, unsigned outside) {
    if (value.mayLackLists())
      return Value{value.presentLists};
    const Value sizes = count(listsOf(value), outside + inside + 1);
    return comparison(Operation::greaterEqual, sizes, literal(std::int64_t{0}));
  };
  const Operation way = m_graph->at(rows.node).operation;
  const bool mayBeNone = way == Operation::rowsRelated || way == Operation::rowsAtOrNone ||
                         way == Operation::rowsTakenOrNone || otherwise.node != Node::none;
  Value none = mayBeNone ? literal(false) : Value{};
  if (otherwise.node != Node::none && !isConstant(otherwise))
    none = presenceOf(otherwise, depth);
  return missingUnless(gathered(a.withLists(), rows, lists, level, otherwise.withLists()),
                       gathered(presenceOf(a, level), rows, lists, level, none));
}

Value Operators::filled(Value a) {
  return step({.operation = Operation::fill, .type = typeOf(a)}, {a});
}

} // namespace kaon::expression
