#include <kaon/expression/Functions.h>

#include <kaon/base/Suggestion.h>
#include <kaon/expression/Lists.h>

#include <algorithm>
#include <array>
#include <limits>
#include <variant>
#include <vector>

namespace kaon::expression {

std::span<const Function> functions() {
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

bool Binder::isFunction(std::string_view name) {
  return std::ranges::find(functions(), name, &Function::name) != functions().end();
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
  return (this->*function->meaning)({syntax, function->operation});
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

} // namespace kaon::expression
