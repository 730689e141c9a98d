#include <kaon/expression/Binder.h>

#include <kaon/base/Suggestion.h>
#include <kaon/expression/Lists.h>
#include <kaon/expression/Operators.h>
#include <kaon/expression/Records.h>
#include <kaon/expression/Syntax.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
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

class Binder {
public:
  Binder(Graph& graph, const Scope& scope)
      : m_graph(&graph), m_operators(graph),
        m_records(m_operators, scope,
                  [this](const std::string& name, const std::string& text) {
                    return aliasMeaning(name, text);
                  }),
        m_scope(&scope) {}

  /// What a text means, read by itself.
  Meaning meaningOf(std::string_view text);

  /// The value of a whole expression, for each entry; nothing if it is a record.
  std::optional<Value> resultOf(std::string_view text) {
    const Meaning meaning = meaningOf(text);
    const auto* value = std::get_if<Value>(&meaning);
    if (!value)
      return std::nullopt;
    return m_operators.isConstant(*value) ? m_operators.filled(*value) : *value;
  }

private:
  struct Call {
    const Syntax& syntax;
    Operation operation;
    [[nodiscard]] std::size_t size() const { return syntax.children.size(); }
    [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return syntax.children[i]; }
  };
  using Handler = Meaning (Binder::*)(const Call&);
  struct Function {
    std::string_view name;
    std::size_t least, most; // arguments
    Handler handler;
    Operation operation = Operation::constant;
  };
  static std::span<const Function> functions();

  // ---- Parts of the syntax ----
  Meaning bind(std::uint32_t node);
  Meaning bindKind(const Syntax& syntax);
  Value value(std::uint32_t node);
  Value require(const Meaning& meaning, const Syntax& syntax);
  Value number(const Syntax& syntax);
  Meaning name(const Syntax& syntax);
  Meaning unary(const Syntax& syntax);
  Meaning binary(const Syntax& syntax);
  Value comparison(const Syntax& syntax);
  Value isAmong(Value value, const Syntax& sequence);
  [[nodiscard]] bool isOfTexts(const Syntax& comparison) const;
  Value textComparison(const Syntax& syntax);
  Value characters(std::uint32_t node);
  Value isText(Value characters, std::string_view text);
  Value joined(const Syntax& syntax);
  Value conditional(std::uint32_t condition, std::uint32_t yes, std::uint32_t no);
  Meaning index(const Syntax& syntax);
  Meaning slice(const Syntax& syntax);
  std::int32_t sliceBound(std::uint32_t node, std::int32_t otherwise);
  Meaning call(const Syntax& syntax);
  Meaning aliasMeaning(const std::string& name, const std::string& text);

  // ---- Functions ----
  Meaning reduction(const Call& call);
  Meaning extreme(const Call& call);
  Meaning total(const Call& call);
  Meaning count(const Call& call);
  Meaning formula(const Call& call);
  Meaning absolute(const Call& call);
  Meaning inOrder(const Call& call);
  Meaning where(const Call& call);
  Meaning conversion(const Call& call);
  Meaning elementOfEach(const Call& call);
  Meaning taken(const Call& call);
  Meaning angle(const Call& call);
  Meaning combinations(const Call& call);
  Meaning pairs(const Call& call);
  Meaning concatenated(const Call& call);
  Meaning columnNamed(const Call& call);

  // ---- Lists ----
  unsigned depthOf(const Meaning& meaning);
  Value listsOf(const Meaning& meaning);
  Meaning selected(const Meaning& whole, Value rows, unsigned level, bool mayBeNone = false);
  Meaning at(const Meaning& whole, Value index);
  Meaning takenOf(const Meaning& whole, Value indices);
  Meaning masked(const Meaning& whole, Value mask);

  [[noreturn]] void fail(ErrorKind kind, const std::string& message) const {
    m_operators.fail(kind, message);
  }
  void setPlace(const Syntax& syntax);
  [[nodiscard]] std::string textOf(const Syntax& syntax) const {
    return std::string(
        m_tree->text.substr(syntax.place.begin, syntax.place.end - syntax.place.begin));
  }

  /// While it lives, errors of indices matter only where a condition holds as well.
  class Guard {
  public:
    Guard(Binder& binder, Value condition) : m_binder(binder), m_before(binder.m_guard) {
      if (binder.m_operators.typeOf(condition).depth > 0)
        return;
      if (binder.m_operators.isConstant(condition)) {
        if (binder.m_graph->at(condition.node).parameter != 0)
          return;
        condition = binder.m_operators.filled(condition);
      }
      const bool isFirst = m_before.node == Node::none;
      binder.m_guard = isFirst
                           ? condition
                           : binder.m_operators.logical(Operation::logicalAnd, m_before, condition);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { m_binder.m_guard = m_before; }

  private:
    Binder& m_binder;
    Value m_before;
  };

  Graph* m_graph;
  Operators m_operators;
  Records m_records;
  const Scope* m_scope;
  const SyntaxTree* m_tree = nullptr;
  Value m_guard;
  unsigned m_aliasDepth = 0;
  unsigned m_nesting = 0;
  std::map<std::pair<std::string, std::uint32_t>, Meaning> m_aliases; // by their names and guards
};

// ---- Parts of the syntax ----

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
  for (const Function& function : functions())
    if (function.name == name)
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

// ---- Functions ----

std::span<const Binder::Function> Binder::functions() {
  constexpr std::size_t many = 16;
  static constexpr Function all[] = {
      {"abs", 1, 1, &Binder::absolute},
      {"sqrt", 1, 1, &Binder::formula, Operation::squareRoot},
      {"exp", 1, 1, &Binder::formula, Operation::exponential},
      {"log", 1, 1, &Binder::formula, Operation::logarithm},
      {"log10", 1, 1, &Binder::formula, Operation::logarithm10},
      {"sin", 1, 1, &Binder::formula, Operation::sine},
      {"cos", 1, 1, &Binder::formula, Operation::cosine},
      {"tan", 1, 1, &Binder::formula, Operation::tangent},
      {"asin", 1, 1, &Binder::formula, Operation::arcSine},
      {"acos", 1, 1, &Binder::formula, Operation::arcCosine},
      {"atan", 1, 1, &Binder::formula, Operation::arcTangent},
      {"sinh", 1, 1, &Binder::formula, Operation::hyperbolicSine},
      {"cosh", 1, 1, &Binder::formula, Operation::hyperbolicCosine},
      {"tanh", 1, 1, &Binder::formula, Operation::hyperbolicTangent},
      {"floor", 1, 1, &Binder::formula, Operation::floor},
      {"ceil", 1, 1, &Binder::formula, Operation::ceiling},
      {"round", 1, 1, &Binder::formula, Operation::round},
      {"isnan", 1, 1, &Binder::formula, Operation::isNan},
      {"isfinite", 1, 1, &Binder::formula, Operation::isFinite},
      {"atan2", 2, 2, &Binder::formula, Operation::arcTangent2},
      {"hypot", 2, 2, &Binder::formula, Operation::hypotenuse},
      {"int", 1, 1, &Binder::conversion, Operation::convert},
      {"float", 1, 1, &Binder::conversion, Operation::convert},
      {"bool", 1, 1, &Binder::conversion, Operation::convert},
      {"where", 3, 3, &Binder::where},
      {"sum", 1, 1, &Binder::total, Operation::sum},
      {"any", 1, 1, &Binder::reduction, Operation::any},
      {"all", 1, 1, &Binder::reduction, Operation::all},
      {"mean", 1, 1, &Binder::reduction, Operation::mean},
      {"argmin", 1, 1, &Binder::reduction, Operation::indexOfLeast},
      {"argmax", 1, 1, &Binder::reduction, Operation::indexOfGreatest},
      {"min", 1, many, &Binder::extreme, Operation::minimum},
      {"max", 1, many, &Binder::extreme, Operation::maximum},
      {"count", 1, 1, &Binder::count},
      {"sort", 1, 1, &Binder::inOrder, Operation::sort},
      {"argsort", 1, 1, &Binder::inOrder, Operation::sortedIndices},
      {"get", 3, 3, &Binder::elementOfEach},
      {"first", 1, 2, &Binder::elementOfEach},
      {"last", 1, 2, &Binder::elementOfEach},
      {"take", 2, 3, &Binder::taken},
      {"deltaR", 1, 4, &Binder::angle, Operation::deltaR},
      {"deltaPhi", 1, 2, &Binder::angle, Operation::deltaPhi},
      {"transverseMass", 1, 4, &Binder::angle, Operation::transverseMass},
      {"combinations", 2, 2, &Binder::combinations},
      {"pairs", 2, 2, &Binder::pairs},
      {"concatenate", 2, 2, &Binder::concatenated},
      {"column", 1, 1, &Binder::columnNamed},
  };
  return all;
}

Meaning Binder::call(const Syntax& syntax) {
  const auto all = functions();
  const auto function =
      std::ranges::find_if(all, [&](const Function& f) { return f.name == syntax.text; });
  setPlace(syntax);
  if (function == all.end()) {
    std::vector<std::string> known;
    for (const Function& f : all)
      known.emplace_back(f.name);
    fail(ErrorKind::name, "there is no function '" + std::string(syntax.text) + "'" +
                              suggestion(syntax.text, known));
  }
  const std::size_t count = syntax.children.size();
  if (count < function->least || count > function->most)
    fail(ErrorKind::usage,
         quoted(syntax.text) + " takes " + std::to_string(function->least) +
             (function->most > function->least ? " to " + std::to_string(function->most) : "") +
             " values, here are " + std::to_string(count));
  return (this->*function->handler)({syntax, function->operation});
}

Meaning Binder::reduction(const Call& call) {
  const Value values = value(call[0]);
  setPlace(call.syntax);
  return m_operators.reduction(call.operation, values);
}

/// The least or greatest of each list, or of several values.
Meaning Binder::extreme(const Call& call) {
  Value result = value(call[0]);
  const bool isLeast = call.operation == Operation::minimum;
  if (call.size() == 1) {
    setPlace(call.syntax);
    return m_operators.reduction(isLeast ? Operation::least : Operation::greatest, result);
  }
  for (std::size_t i = 1; i < call.size(); ++i) {
    const Value next = value(call[i]);
    setPlace(call.syntax);
    result = m_operators.arithmetic(call.operation, result, next);
  }
  return result;
}

Meaning Binder::total(const Call& call) {
  const Meaning whole = bind(call[0]);
  setPlace(call.syntax);
  const auto* const record = std::get_if<RecordPtr>(&whole);
  if (!record)
    return m_operators.reduction(call.operation, std::get<Value>(whole));
  if ((*record)->depth == 0)
    fail(ErrorKind::type, quoted((*record)->text) + " is not a list");
  return m_records.combined(RecordKind::total, {*record}, (*record)->depth - 1);
}

/// How many values each innermost list has: texts, where it has such; of one text its characters.
Meaning Binder::count(const Call& call) {
  const Meaning whole = bind(call[0]);
  setPlace(call.syntax);
  const Value lists = listsOf(whole);
  const auto* const value = std::get_if<Value>(&whole);
  if (!value || m_operators.typeOf(*value).lists() == 0 || !m_operators.typeOf(*value).isText)
    return m_operators.count(lists);
  const unsigned level = m_operators.typeOf(*value).lists();
  const auto all = packed(0, std::numeric_limits<std::int32_t>::max());
  return m_operators.count(
      m_operators.rows(Operation::rowsSliced, std::array{lists}, level, level, all));
}

Meaning Binder::formula(const Call& call) {
  std::array<Value, 2> values{};
  for (std::size_t i = 0; i < call.size(); ++i)
    values[i] = value(call[i]);
  setPlace(call.syntax);
  return m_operators.formula(call.operation, std::span(values).first(call.size()));
}

Meaning Binder::absolute(const Call& call) {
  const Value values = value(call[0]);
  setPlace(call.syntax);
  return m_operators.absolute(values);
}

Meaning Binder::inOrder(const Call& call) {
  const Value values = value(call[0]);
  setPlace(call.syntax);
  return m_operators.inOrder(call.operation, values);
}

Meaning Binder::where(const Call& call) { return conditional(call[0], call[1], call[2]); }

Meaning Binder::conversion(const Call& call) {
  const Value values = value(call[0]);
  setPlace(call.syntax);
  const bool isBool = call.syntax.text == "bool", isFloat = call.syntax.text == "float";
  return m_operators.converted(values, isBool    ? Scalar::Bool
                                       : isFloat ? Scalar::Float64
                                                 : Scalar::Int64);
}

/// get(x, i, default), first(x, default), last(x, default): of the innermost lists.
Meaning Binder::elementOfEach(const Call& call) {
  const bool isGet = call.syntax.text == "get";
  Value list = value(call[0]);
  setPlace(call.syntax);
  Value index = m_operators.literal(std::int64_t{call.syntax.text == "last" ? -1 : 0});
  if (isGet)
    index = value(call[1]);
  Value otherwise;
  const bool hasDefault = call.size() > (isGet ? 2 : 1);
  if (hasDefault)
    otherwise = value(call[isGet ? 2 : 1]);
  setPlace(call.syntax);
  const ColumnType type = m_operators.typeOf(list);
  const unsigned depth = type.isText ? std::max(type.lists(), 1U) : type.depth;
  const Value lists = listsOf(list);
  index = m_operators.asIndex(index);
  for (const Value operand : {index, otherwise})
    if (operand.node != Node::none && !m_operators.isConstant(operand) &&
        m_operators.typeOf(operand).depth != depth - 1)
      fail(ErrorKind::type,
           "an index or default is wanted for each list: " + nameOf({Scalar::Int64, depth - 1}) +
               ", not " + nameOf(m_operators.typeOf(operand)));
  if (hasDefault)
    m_operators.unify(list, otherwise);
  else if (m_guard.node != Node::none && depth == 1)
    otherwise = m_operators.nothing(m_operators.typeOf(list).scalar);
  const std::array operands{lists, index, depth == 1 ? m_guard : Value{}};
  const Value rows = m_operators.rows(hasDefault ? Operation::rowsAtOrNone : Operation::rowsAt,
                                      operands, depth, depth - 1);
  return m_operators.gathered(list, rows, lists, depth, otherwise);
}

/// take(x, indices) and take(x, indices, default): of each entry's list.
Meaning Binder::taken(const Call& call) {
  const Meaning whole = bind(call[0]);
  const Value indices = value(call[1]);
  setPlace(call.syntax);
  if (call.size() == 2)
    return m_operators.typeOf(indices).depth == 0 ? at(whole, indices) : takenOf(whole, indices);
  Value list = require(whole, m_tree->at(call[0]));
  Value otherwise = value(call[2]);
  setPlace(call.syntax);
  if (m_operators.typeOf(list).depth != 1 || !m_operators.isConstant(otherwise))
    fail(ErrorKind::type, "a default has to be a number, and to be for one list an entry");
  m_operators.unify(list, otherwise);
  const Value lists = listsOf(list);
  const std::array operands{lists, m_operators.asIndex(indices)};
  const Value rows =
      m_operators.rows(Operation::rowsTakenOrNone, operands, 1, m_operators.typeOf(indices).depth);
  return m_operators.gathered(list, rows, lists, 1, otherwise);
}

/// deltaR, deltaPhi and transverseMass: of two objects, of a pair of them, or of their numbers.
Meaning Binder::angle(const Call& call) {
  const bool isPhi = call.operation == Operation::deltaPhi;
  std::vector<Meaning> arguments;
  for (const std::uint32_t argument : call.syntax.children)
    arguments.push_back(bind(argument));
  setPlace(call.syntax);
  if (const auto* pair = std::get_if<RecordPtr>(&arguments[0]);
      pair && arguments.size() == 1 && (*pair)->kind != RecordKind::sum)
    arguments = {m_records.member(*pair, "first"), m_records.member(*pair, "second")};
  const bool isOfNumbers = std::holds_alternative<Value>(arguments[0]);
  if (arguments.size() != (isOfNumbers && !isPhi ? 4 : 2))
    fail(ErrorKind::usage, quoted(call.syntax.text) + " is of two objects, of a pair" +
                               (isPhi ? ", or of two azimuths"
                                      : ", or of four numbers: those of the one and of the other"));
  std::vector<Value> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* const record = std::get_if<RecordPtr>(&arguments[i]);
    if (isOfNumbers) {
      values.push_back(require(arguments[i], m_tree->at(call[i])));
      continue;
    }
    if (!record)
      fail(ErrorKind::type, "objects go with objects, numbers with numbers");
    if (!isPhi)
      values.push_back(
          m_records.number(*record, call.operation == Operation::deltaR ? "eta" : "pt"));
    values.push_back(m_records.number(*record, "phi"));
  }
  setPlace(call.syntax);
  return m_operators.formula(call.operation, values);
}

Meaning Binder::combinations(const Call& call) {
  const Meaning whole = bind(call[0]);
  const Value size = value(call[1]);
  setPlace(call.syntax);
  const auto* const record = std::get_if<RecordPtr>(&whole);
  if (!record || (*record)->depth != 1)
    fail(ErrorKind::type,
         "combinations are of the objects of an entry, as in combinations(Muon, 2)");
  const std::uint64_t members =
      m_operators.isConstant(size) ? m_graph->at(m_operators.asIndex(size).node).parameter : 0;
  if (members < 2 || members > 4)
    fail(ErrorKind::usage,
         "combinations are of 2, 3 or 4 objects; so many are written as a number");
  const Value lists = m_records.listsOf(*record);
  std::vector<RecordPtr> parts;
  Value first;
  for (std::uint64_t member = 0; member < members; ++member) {
    const std::array operands{lists, first};
    const Value rows =
        m_operators.rows(Operation::rowsCombined, operands, 1, 1, members * 8 + member);
    if (member == 0)
      first = rows;
    parts.push_back(m_records.repeated(*record, rows));
  }
  return m_records.combined(RecordKind::tuple, std::move(parts), 1);
}

/// pairs(a, b): for each of a's objects all of b's.
Meaning Binder::pairs(const Call& call) {
  std::vector<RecordPtr> parts;
  std::vector<Value> operands;
  for (const std::uint32_t argument : call.syntax.children) {
    const Meaning whole = bind(argument);
    setPlace(call.syntax);
    const auto* const record = std::get_if<RecordPtr>(&whole);
    if (!record || (*record)->depth != 1)
      fail(ErrorKind::type, "pairs are of the objects of an entry, as in pairs(Jet, Muon)");
    parts.push_back(*record);
    operands.push_back(m_records.listsOf(*record));
  }
  const Value first = m_operators.rows(Operation::rowsPaired, operands, 1, 2);
  operands.push_back(first);
  const Value second = m_operators.rows(Operation::rowsPairedBehind, operands, 1, 2);
  parts = {m_records.repeated(parts[0], first), m_records.repeated(parts[1], second)};
  return m_records.combined(RecordKind::tuple, std::move(parts), 2);
}

/// concatenate(a, b): one list an entry of two, of numbers or of objects.
Meaning Binder::concatenated(const Call& call) {
  const Meaning a = bind(call[0]), b = bind(call[1]);
  setPlace(call.syntax);
  const auto* const left = std::get_if<RecordPtr>(&a);
  const auto* const right = std::get_if<RecordPtr>(&b);
  if (!left || !right)
    return m_operators.concatenated(require(a, m_tree->at(call[0])),
                                    require(b, m_tree->at(call[1])));
  if ((*left)->depth != 1 || (*right)->depth != 1)
    fail(ErrorKind::type, "the objects of an entry can be put behind others, as in "
                          "concatenate(Electron, Muon)");
  return m_records.combined(RecordKind::joined, {*left, *right}, 1);
}

/// column('a name'), for names that are not words.
Meaning Binder::columnNamed(const Call& call) {
  const Syntax& text = m_tree->at(call[0]);
  if (text.kind != SyntaxKind::string)
    fail(ErrorKind::usage, "column() takes a name in quotes");
  const std::string name(text.text);
  if (const std::optional<Meaning> found = m_records.named(name))
    return *found;
  fail(ErrorKind::name,
       "there is no column '" + name + "'" + m_scope->where() + suggestion(name, m_scope->names()));
}

} // namespace

Bound bindExpression(std::string_view text, const Scope& scope) {
  Bound bound;
  Binder binder(bound.graph, scope);
  if (const std::optional<Value> result = binder.resultOf(text))
    bound.root = result->node;
  return bound;
}

} // namespace kaon::expression
