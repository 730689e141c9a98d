#include <kaon/expression/Functions.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/expression/Token.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kaon::expression {

struct Functions::Function {
  std::string_view name;
  std::size_t least, most;                    ///< number of arguments
  Meaning (Functions::*meaning)(const Call&); ///< null: see call()
  Operation operation = Operation::constant;
};

struct Functions::Call {
  std::string_view name;
  Operation operation;
  std::span<const CallArgument> arguments;
  [[nodiscard]] std::size_t size() const { return arguments.size(); }
  [[nodiscard]] const CallArgument& operator[](std::size_t i) const { return arguments[i]; }
};

namespace {

/// Names of functions in NumPy, Awkward Array, RDataFrame and Python, with kaon's names.
struct OtherName {
  std::string_view name, meant;
};
constexpr auto otherNames = std::to_array<OtherName>({{"len", "count(x)"},
                                                      {"num", "count(x)"},
                                                      {"size", "count(x)"},
                                                      {"Length", "count(x)"},
                                                      {"pow", "x ** y"},
                                                      {"power", "x ** y"},
                                                      {"arctan", "atan(x)"},
                                                      {"arctan2", "atan2(y, x)"},
                                                      {"arcsin", "asin(x)"},
                                                      {"arccos", "acos(x)"},
                                                      {"log2", "log(x) / log(2)"},
                                                      {"product", "prod(x)"},
                                                      {"Product", "prod(x)"},
                                                      {"firsts", "first(x, default)"},
                                                      {"local_index", "index(x)"},
                                                      {"fabs", "abs(x)"},
                                                      {"DeltaR", "deltaR(a, b)"},
                                                      {"delta_r", "deltaR(a, b)"},
                                                      {"deltaphi", "deltaPhi(a, b)"},
                                                      {"DeltaPhi", "deltaPhi(a, b)"},
                                                      {"InvariantMass", "(a + b).mass"},
                                                      {"fill_none", "default(x, value)"},
                                                      {"is_none", "not has(x)"},
                                                      {"isnull", "not has(x)"},
                                                      {"has_value", "has(x)"}});

} // namespace

std::span<const Functions::Function> Functions::all() {
  constexpr std::size_t many = 16;
  static constexpr Function functions[] = {
      {"abs", 1, 1, &Functions::absolute},
      {"sqrt", 1, 1, &Functions::formula, Operation::squareRoot},
      {"exp", 1, 1, &Functions::formula, Operation::exponential},
      {"log", 1, 1, &Functions::formula, Operation::logarithm},
      {"log10", 1, 1, &Functions::formula, Operation::logarithm10},
      {"sin", 1, 1, &Functions::formula, Operation::sine},
      {"cos", 1, 1, &Functions::formula, Operation::cosine},
      {"tan", 1, 1, &Functions::formula, Operation::tangent},
      {"asin", 1, 1, &Functions::formula, Operation::arcSine},
      {"acos", 1, 1, &Functions::formula, Operation::arcCosine},
      {"atan", 1, 1, &Functions::formula, Operation::arcTangent},
      {"sinh", 1, 1, &Functions::formula, Operation::hyperbolicSine},
      {"cosh", 1, 1, &Functions::formula, Operation::hyperbolicCosine},
      {"tanh", 1, 1, &Functions::formula, Operation::hyperbolicTangent},
      {"floor", 1, 1, &Functions::formula, Operation::floor},
      {"ceil", 1, 1, &Functions::formula, Operation::ceiling},
      {"round", 1, 1, &Functions::formula, Operation::round},
      {"isnan", 1, 1, &Functions::formula, Operation::isNan},
      {"isfinite", 1, 1, &Functions::formula, Operation::isFinite},
      {"atan2", 2, 2, &Functions::formula, Operation::arcTangent2},
      {"hypot", 2, 2, &Functions::formula, Operation::hypotenuse},
      {"int", 1, 1, &Functions::conversion, Operation::convert},
      {"float", 1, 1, &Functions::conversion, Operation::convert},
      {"bool", 1, 1, &Functions::conversion, Operation::convert},
      {"where", 3, 3, nullptr},
      {"sum", 1, 1, &Functions::total, Operation::sum},
      {"prod", 1, 1, &Functions::reduction, Operation::product},
      {"any", 1, 1, &Functions::reduction, Operation::any},
      {"all", 1, 1, &Functions::reduction, Operation::all},
      {"mean", 1, 1, &Functions::reduction, Operation::mean},
      {"argmin", 1, 1, &Functions::reduction, Operation::indexOfLeast},
      {"argmax", 1, 1, &Functions::reduction, Operation::indexOfGreatest},
      {"min", 1, many, &Functions::extreme, Operation::minimum},
      {"max", 1, many, &Functions::extreme, Operation::maximum},
      {"count", 1, 1, &Functions::count},
      {"has", 1, 1, &Functions::presence},
      {"default", 2, 2, &Functions::withDefault},
      {"sort", 1, 1, &Functions::inOrder, Operation::sort},
      {"argsort", 1, 1, &Functions::inOrder, Operation::sortedIndices},
      {"index", 1, 1, &Functions::indices},
      {"get", 3, 3, &Functions::elementOfEach},
      {"first", 1, 2, &Functions::elementOfEach},
      {"last", 1, 2, &Functions::elementOfEach},
      {"take", 2, 3, &Functions::taken},
      {"deltaR", 1, 4, &Functions::angle, Operation::deltaR},
      {"deltaPhi", 1, 2, &Functions::angle, Operation::deltaPhi},
      {"transverseMass", 1, 4, &Functions::angle, Operation::transverseMass},
      {"combinations", 2, 2, &Functions::combinations},
      {"pairs", 2, 2, &Functions::pairs},
      {"concatenate", 2, 2, &Functions::concatenated},
      {"pdg", 1, 1, &Functions::particles},
      {"column", 1, 1, nullptr},
  };
  return functions;
}

bool Functions::has(std::string_view name) {
  return std::ranges::find(all(), name, &Function::name) != all().end();
}

void Functions::check(std::string_view name, std::size_t arguments) const {
  const auto function = std::ranges::find(all(), name, &Function::name);
  if (function == all().end()) {
    std::vector<std::string> known;
    for (const Function& f : all())
      known.emplace_back(f.name);
    const auto other = std::ranges::find(otherNames, name, &OtherName::name);
    fail(ErrorKind::name, "there is no function '" + std::string(name) + "'" +
                              (other == otherNames.end() ? suggestion(name, known)
                                                         : "; write " + std::string(other->meant)));
  }
  const auto [least, most] = std::pair(function->least, function->most);
  if (arguments < least || arguments > most)
    fail(ErrorKind::usage, quoted(name) + " takes " +
                               (most > least ? std::to_string(least) + " to " : "") +
                               counted(most, "value") + ", not " + std::to_string(arguments));
}

Meaning Functions::call(std::string_view name, std::span<const CallArgument> arguments) {
  const auto function = std::ranges::find(all(), name, &Function::name);
  return (this->*function->meaning)({name, function->operation, arguments});
}

Value Functions::value(const CallArgument& argument) {
  return m_records->value(argument.meaning, argument.place);
}

Meaning Functions::reduction(const Call& call) {
  return m_operators->reduction(call.operation, value(call[0]));
}

/// Returns the extreme of each list, or of several values.
Meaning Functions::extreme(const Call& call) {
  Value result = value(call[0]);
  const bool isLeast = call.operation == Operation::minimum;
  if (call.size() == 1)
    return m_operators->reduction(isLeast ? Operation::least : Operation::greatest, result);
  for (const CallArgument& next : call.arguments.subspan(1))
    result = m_operators->extreme(call.operation, result, value(next));
  return result;
}

Meaning Functions::total(const Call& call) {
  const Meaning& whole = call[0].meaning;
  const auto* const record = std::get_if<RecordPtr>(&whole);
  if (!record)
    return m_operators->reduction(call.operation, std::get<Value>(whole));
  if ((*record)->depth == 0)
    fail(ErrorKind::type, quoted((*record)->text) + " is not a list");
  return m_records->combined(ExpressionRecordKind::total, {*record}, (*record)->depth - 1);
}

/// Returns the number of values in each innermost list. Lists of texts count texts; a single text
/// counts its characters.
Meaning Functions::count(const Call& call) {
  const Meaning& whole = call[0].meaning;
  if (const auto* const value = std::get_if<Value>(&whole); value && value->mayLackLists()) {
    const CallArgument argument{value->withLists(), call[0].place};
    const Meaning counts = count({call.name, call.operation, std::span(&argument, 1)});
    return m_operators->missingUnless(std::get<Value>(counts), {value->presentLists});
  }
  const Value lists = m_selections->listsOf(whole);
  const auto* const value = std::get_if<Value>(&whole);
  if (value && m_operators->isCondition(*value))
    fail(ErrorKind::type, "count() counts all conditions, true or not; sum(" +
                              std::string(call[0].place.text) + ") counts the true ones");
  const bool isOptional = value && value->mayBeMissing();
  const auto* const record = std::get_if<RecordPtr>(&whole);
  const std::optional<Value> present = isOptional ? m_operators->presence(*value)
                                       : record   ? m_records->presence(*record)
                                                  : std::nullopt;
  if (present && m_operators->typeOf(*present).depth > 0)
    return m_operators->reduction(Operation::sum, *present); // only existing values
  const unsigned level =
      value ? std::max(m_operators->typeOf(*value).lists(), 1U) : m_operators->typeOf(lists).depth;
  return m_operators->count(lists, level);
}

/// Returns whether a value or a component exists.
Meaning Functions::presence(const Call& call) {
  const Meaning& whole = call[0].meaning;
  if (const auto* const value = std::get_if<Value>(&whole))
    return m_operators->has(*value);
  if (const auto present = m_records->presence(std::get<RecordPtr>(whole)))
    return *present;
  fail(ErrorKind::type,
       quoted(call[0].place.text) +
           " are objects, which are never missing; use has() for members, and count() for objects");
}

Meaning Functions::withDefault(const Call& call) {
  return m_operators->withDefault(value(call[0]), value(call[1]));
}

/// Returns the index of each object in its collection, or of each value in its list.
Meaning Functions::indices(const Call& call) {
  const Meaning& whole = call[0].meaning;
  if (const auto* const record = std::get_if<RecordPtr>(&whole))
    return m_records->indices(*record);
  const Value values = std::get<Value>(whole);
  if (m_operators->typeOf(values).lists() == 0)
    fail(ErrorKind::type, quoted(call[0].place.text) + " is not a list");
  const Value indices =
      m_operators->indices(m_selections->listsOf(whole), m_operators->typeOf(values).lists());
  return values.mayLackLists() ? m_operators->missingUnless(indices, {values.presentLists})
                               : indices;
}

Meaning Functions::formula(const Call& call) {
  std::array<Value, 2> values{};
  for (std::size_t i = 0; i < call.size(); ++i)
    values[i] = value(call[i]);
  return m_operators->formula(call.operation, std::span(values).first(call.size()));
}

Meaning Functions::absolute(const Call& call) { return m_operators->absolute(value(call[0])); }

Meaning Functions::inOrder(const Call& call) {
  return m_operators->inOrder(call.operation, value(call[0]));
}

Meaning Functions::conversion(const Call& call) {
  const bool isBool = call.name == "bool", isFloat = call.name == "float";
  return m_operators->converted(value(call[0]), isBool    ? Scalar::Bool
                                                : isFloat ? Scalar::Float64
                                                          : Scalar::Int64);
}

/// get(x, i, default), first(x, default) and last(x, default), for the innermost lists.
Meaning Functions::elementOfEach(const Call& call) {
  const bool isGet = call.name == "get";
  Value list = value(call[0]);
  Value index = m_operators->literal(std::int64_t{call.name == "last" ? -1 : 0});
  if (isGet)
    index = value(call[1]);
  Value otherwise;
  const bool hasDefault = call.size() > (isGet ? 2 : 1);
  if (hasDefault)
    otherwise = value(call[isGet ? 2 : 1]);
  const detail::ColumnType type = m_operators->typeOf(list);
  const unsigned depth = type.isText ? std::max(type.lists(), 1U) : type.depth;
  const Value lists = m_selections->listsOf(list);
  index = m_operators->asIndex(index);
  for (const Value operand : {index, otherwise})
    if (operand.node != Node::none && !m_operators->isConstant(operand) &&
        m_operators->typeOf(operand).depth != depth - 1)
      fail(ErrorKind::type, "an index or default must be one number for each list: " +
                                detail::nameOf({Scalar::Int64, depth - 1}) + ", not " +
                                nameOf(m_operators->typeOf(operand)));
  const Value guard = m_selections->guardOf(list, depth);
  if (hasDefault)
    m_operators->unify(list, otherwise);
  else if (guard.node != Node::none)
    otherwise = m_operators->nothing(m_operators->typeOf(list).scalar);
  const std::array operands{lists, index, guard};
  const Value rows = m_operators->rows(hasDefault ? Operation::rowsAtOrNone : Operation::rowsAt,
                                       operands, depth, depth - 1);
  return m_operators->gathered(list, rows, lists, depth, otherwise);
}

/// take(x, indices) and take(x, indices, default), for the list of each entry.
Meaning Functions::taken(const Call& call) {
  const Meaning& whole = call[0].meaning;
  const Value indices = value(call[1]);
  if (call.size() == 2)
    return m_operators->typeOf(indices).depth == 0 ? m_selections->at(whole, indices)
                                                   : m_selections->taken(whole, indices);
  Value list = value(call[0]);
  Value otherwise = value(call[2]);
  if (m_operators->typeOf(list).depth != 1 || !m_operators->isConstant(otherwise))
    fail(ErrorKind::type,
         "a default must be written as a number, and needs one list in each entry");
  m_operators->unify(list, otherwise);
  const Value lists = m_selections->listsOf(list);
  const std::array operands{lists, m_operators->asIndex(indices)};
  const Value rows = m_operators->rows(Operation::rowsTakenOrNone, operands, 1,
                                       m_operators->typeOf(indices).depth);
  return m_operators->gathered(list, rows, lists, 1, otherwise);
}

/// deltaR, deltaPhi and transverseMass of two objects, of a pair of objects, or of their numbers.
Meaning Functions::angle(const Call& call) {
  const bool isPhi = call.operation == Operation::deltaPhi;
  std::vector<CallArgument> arguments(call.arguments.begin(), call.arguments.end());
  if (const auto* objects = std::get_if<RecordPtr>(&call[0].meaning); objects && call.size() == 1) {
    if (!m_records->arePairs(*objects)) {
      const std::string name(call.name), text = (*objects)->text;
      fail(ErrorKind::usage, "'" + text + "' are no pairs: write " + name + "(combinations(" +
                                 text + ", 2)), " + name + "(pairs(a, b)) or " + name + "(a, b)");
    }
    arguments = {{m_records->member(*objects, "first"), call[0].place},
                 {m_records->member(*objects, "second"), call[0].place}};
  }
  const bool isOfNumbers = std::holds_alternative<Value>(arguments[0].meaning);
  if (arguments.size() != (isOfNumbers && !isPhi ? 4 : 2))
    fail(ErrorKind::usage,
         quoted(call.name) + " takes two objects, a pair" +
             (isPhi ? ", or two azimuths" : ", or four numbers: two of each object"));
  std::vector<Value> values;
  for (const CallArgument& argument : arguments) {
    const auto* const record = std::get_if<RecordPtr>(&argument.meaning);
    if (isOfNumbers) {
      values.push_back(value(argument));
      continue;
    }
    if (!record)
      fail(ErrorKind::type, "give only objects or only numbers, not both");
    if (!isPhi)
      values.push_back(
          m_records->number(*record, call.operation == Operation::deltaR ? "eta" : "pt"));
    values.push_back(m_records->number(*record, "phi"));
  }
  if (call.operation == Operation::transverseMass)
    m_operators->requireOneUnit(std::array{values[0], values[2]});
  return m_operators->formula(call.operation, values);
}

/// pdg(number): the mass and charge of particles.
Meaning Functions::particles(const Call& call) {
  const Value numbers = value(call[0]);
  if (m_operators->typeOf(numbers).isText || isFloat(m_operators->typeOf(numbers).scalar))
    fail(ErrorKind::type, "pdg() takes the numbers of particles, as in pdg(MCParticles.PDG).mass");
  return m_records->particles(numbers);
}

Meaning Functions::combinations(const Call& call) {
  const auto* const record = std::get_if<RecordPtr>(&call[0].meaning);
  const Value size = value(call[1]);
  if (!record || (*record)->depth != 1)
    fail(ErrorKind::type,
         "combinations() takes the objects of an entry, as in combinations(Muon, 2)");
  const std::int64_t members = m_operators->writtenInteger(size).value_or(0);
  if (members < 2 || members > 4)
    fail(ErrorKind::usage, "combinations() takes the number of objects as 2, 3 or 4");
  const Value lists = m_records->listsOf(*record);
  std::vector<RecordPtr> parts;
  Value first;
  for (std::int64_t member = 0; member < members; ++member) {
    const std::array operands{lists, first};
    const auto detail = static_cast<std::uint64_t>(members * 8 + member);
    const Value rows = m_operators->rows(Operation::rowsCombined, operands, 1, 1, detail);
    if (member == 0)
      first = rows;
    parts.push_back(m_records->repeated(*record, rows));
  }
  return m_records->combined(ExpressionRecordKind::tuple, std::move(parts), 1);
}

/// pairs(a, b): each object of a with each object of b.
Meaning Functions::pairs(const Call& call) {
  std::vector<RecordPtr> parts;
  std::vector<Value> operands;
  for (const CallArgument& argument : call.arguments) {
    const auto* const record = std::get_if<RecordPtr>(&argument.meaning);
    if (!record || (*record)->depth != 1)
      fail(ErrorKind::type, "pairs() takes the objects of an entry, as in pairs(Jet, Muon)");
    parts.push_back(*record);
    operands.push_back(m_records->listsOf(*record));
  }
  const Value first = m_operators->rows(Operation::rowsPaired, operands, 1, 2);
  operands.push_back(first);
  const Value second = m_operators->rows(Operation::rowsPairedBehind, operands, 1, 2);
  parts = {m_records->repeated(parts[0], first), m_records->repeated(parts[1], second)};
  return m_records->combined(ExpressionRecordKind::tuple, std::move(parts), 2);
}

/// concatenate(a, b): joins two lists of each entry, of numbers or objects.
Meaning Functions::concatenated(const Call& call) {
  const auto* const left = std::get_if<RecordPtr>(&call[0].meaning);
  const auto* const right = std::get_if<RecordPtr>(&call[1].meaning);
  if (!left || !right)
    return m_operators->concatenated(value(call[0]), value(call[1]));
  if ((*left)->depth != 1 || (*right)->depth != 1)
    fail(ErrorKind::type, "concatenate() takes the objects of an entry, as in "
                          "concatenate(Electron, Muon)");
  return m_records->combined(ExpressionRecordKind::joined, {*left, *right}, 1);
}

} // namespace kaon::expression
