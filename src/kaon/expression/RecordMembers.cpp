#include <kaon/expression/RecordMembers.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/expression/Token.h>
#include <kaon/math/MomentumMembers.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <ranges>

namespace kaon::expression {

using detail::MomentumMembers;

namespace {

constexpr std::array<std::string_view, 11> kinematics = {
    "px", "py", "pz", "E", "pt", "eta", "phi", "mass", "p", "theta", "rapidity"};
constexpr std::array<std::string_view, 4> ordinals = {"first", "second", "third", "fourth"};

constexpr std::array<std::string_view, 2> particleFacts = {"mass", "charge"};

constexpr unsigned mostHeight = 100;

/// Returns an optional that `look` finds; nothing if some of several collections lack it.
template <class Look>
auto withoutErrors(Look look) -> decltype(look()) {
  try {
    return look();
  } catch (const Error&) {
    return std::nullopt;
  }
}

} // namespace

std::span<const std::string_view> kinematicMembers() { return kinematics; }

RecordPtr RecordMembers::add(ExpressionRecord record) {
  for (const RecordPtr& part : record.parts)
    record.height = std::max(record.height, part->height + 1);
  if (record.height > mostHeight)
    m_operators->fail(ErrorKind::usage, "selections and sums are nested too deeply");
  record.text = m_operators->text();
  return std::make_shared<const ExpressionRecord>(std::move(record));
}

// ---- Names ----

std::optional<Meaning> RecordMembers::meaningOf(const std::string& name,
                                                const NameMeaning& meaning) {
  if (const auto* column = std::get_if<ColumnName>(&meaning))
    return m_operators->column(*column);
  if (const auto* alias = std::get_if<Alias>(&meaning))
    return m_aliasMeaning(name, alias->text);
  if (const auto* part = std::get_if<OptionalName>(&meaning))
    return optional(*part);
  ExpressionRecord record;
  if (const auto* below = std::get_if<RecordName>(&meaning)) {
    record.name = *below;
    record.depth = below->depth;
  } else if (const auto* relation = std::get_if<RelationName>(&meaning)) {
    record.kind = ExpressionRecordKind::related;
    record.relation = *relation;
    record.index = m_operators->column(relation->index);
    record.collection = m_operators->column(relation->collection);
    record.depth = relation->index.type.depth;
  } else {
    return std::nullopt;
  }
  return add(std::move(record));
}

Meaning RecordMembers::optional(const OptionalName& optional) {
  Meaning meaning;
  if (const auto* const record = std::get_if<RecordName>(&optional.value))
    meaning = *meaningOf({}, *record);
  else
    meaning = m_operators->column(std::get<ColumnName>(optional.value), m_operators->text());
  for (const ColumnName& present : optional.present)
    meaning = missingUnless(meaning, m_operators->column(present));
  return meaning;
}

/// Returns a value or component that is also missing where `present` is false.
Meaning RecordMembers::missingUnless(const Meaning& meaning, Value present) {
  if (const auto* const value = std::get_if<Value>(&meaning))
    return m_operators->missingUnless(*value, present);
  ExpressionRecord record = *std::get<RecordPtr>(meaning);
  record.present = m_operators->both(record.present, present);
  return add(std::move(record));
}

std::optional<Value> RecordMembers::presence(const RecordPtr& record) {
  if (record->kind == ExpressionRecordKind::selected) {
    const std::optional<Value> inside = presence(record->parts[0]);
    if (!inside || m_operators->typeOf(*inside).depth < record->level)
      return inside;
    const Value none = record->mayBeNone ? m_operators->literal(false) : Value{};
    return m_operators->gathered(*inside, record->rows, record->lists, record->level, none);
  }
  if (record->present.node == Node::none)
    return std::nullopt;
  return record->present;
}

std::optional<Meaning> RecordMembers::named(const std::string& name) {
  return meaningOf(name, m_scope->find(name));
}

// ---- Members ----

Meaning RecordMembers::member(const RecordPtr& record, const std::string& name) {
  if (Member member = find(record, name))
    return *member;
  // Names of stored columns are accepted, too.
  if (name == optionalValue && record->present.node != Node::none)
    return record;
  std::vector<std::string> known = namesBelow(record);
  std::erase_if(known, [&](const std::string& each) { // kinematics that cannot be computed here
    return std::ranges::find(kinematics, each) != kinematics.end() &&
           !withoutErrors([&] { return find(record, each); });
  });
  m_operators->fail(ErrorKind::name, quoted(record->text) + " has no '" + name + "'" +
                                         m_scope->where() + suggestion(name, known) +
                                         m_scope->whyUnread(record->text + '.' + name));
}

Value RecordMembers::number(const RecordPtr& record, const std::string& name) {
  const Meaning meaning = member(record, name);
  if (const auto* value = std::get_if<Value>(&meaning))
    return *value;
  m_operators->fail(ErrorKind::type, "'" + record->text + "." + name + "' is not a number");
}

Value RecordMembers::value(const Meaning& meaning, const Operators::Place& place) {
  if (const auto* value = std::get_if<Value>(&meaning))
    return *value;
  const std::vector<std::string> members =
      withoutErrors([&] {
        return std::optional(memberNames(std::get<RecordPtr>(meaning)));
      }).value_or(std::vector<std::string>());
  const auto pt = std::ranges::find(members, "pt");
  const auto member = pt == members.end() ? members.begin() : pt;
  m_operators->setPlace(place);
  m_operators->fail(
      ErrorKind::type,
      quoted(place.text) + " stands for objects, not for numbers" +
          (members.empty() ? "" : "; name a member, as in '" + place.text + "." + *member + "'"));
}

/// Returns the names that an unknown member may mean.
std::vector<std::string> RecordMembers::namesBelow(const RecordPtr& record) const {
  if (record->kind == ExpressionRecordKind::tuple)
    return {ordinals.begin(), ordinals.begin() + static_cast<std::ptrdiff_t>(record->parts.size())};
  if (record->kind == ExpressionRecordKind::particle)
    return {particleFacts.begin(), particleFacts.end()};
  std::vector<std::string> known(kinematics.begin(), kinematics.end());
  std::ranges::move(storedNames(record), std::back_inserter(known));
  return known;
}

/// Returns the names of columns that belong to the objects, and those of their members.
std::vector<std::string> RecordMembers::storedNames(const RecordPtr& record) const {
  std::vector<std::string> known;
  const ExpressionRecord* origin = record.get();
  while (origin->kind == ExpressionRecordKind::selected)
    origin = origin->parts[0].get();
  if (!m_scopeNames)
    m_scopeNames = m_scope->names();
  const auto addNames = [&](const std::string& head, std::string_view separators = ".") {
    for (const std::string& name : *m_scopeNames)
      if (name.size() > head.size() + 1 && name.starts_with(head) &&
          separators.find(name[head.size()]) != std::string_view::npos)
        known.push_back(name.substr(head.size() + 1));
  };
  if (origin->kind == ExpressionRecordKind::named)
    addNames(origin->name.name, origin->name.table.empty() ? "._:" : ".");
  const NameMeaning object = m_scope->find(origin->name.name + ".object");
  if (const auto* objects = std::get_if<RelationName>(&object); objects && origin->name.isSubset)
    for (const RelationName::Target& target : objects->targets)
      addNames(target.collection);
  for (const RelationName::Target& target : origin->relation.targets)
    addNames(target.collection);
  return known;
}

/// Returns whether a name is a value, also of a component as in "momentum.x", but not of a
/// relation.
std::optional<Value> RecordMembers::storedValue(const RecordPtr& record, std::string_view name) {
  const std::size_t dot = name.find('.');
  const Member member = own(record, std::string(name.substr(0, dot)));
  if (!member)
    return std::nullopt;
  if (const auto* const value = std::get_if<Value>(&*member))
    return dot == std::string_view::npos ? std::optional(*value) : std::nullopt;
  const auto& part = std::get<RecordPtr>(*member);
  const ExpressionRecord* origin = part.get();
  while (origin->kind == ExpressionRecordKind::selected)
    origin = origin->parts[0].get();
  if (dot == std::string_view::npos || origin->kind != ExpressionRecordKind::named)
    return std::nullopt;
  return storedValue(part, name.substr(dot + 1));
}

std::vector<std::string> RecordMembers::memberNames(const RecordPtr& record) {
  std::vector<std::string> names;
  switch (record->kind) {
  case ExpressionRecordKind::tuple:
    for (std::size_t i = 0; i < record->parts.size(); ++i)
      for (const std::string& name : memberNames(record->parts[i]))
        names.push_back(std::string(ordinals[i]) + '.' + name);
    return names;
  case ExpressionRecordKind::sum:
  case ExpressionRecordKind::difference:
  case ExpressionRecordKind::total:
    return {"pt", "eta", "phi", "mass"};
  case ExpressionRecordKind::particle:
    return {particleFacts.begin(), particleFacts.end()};
  case ExpressionRecordKind::joined:
    names = memberNames(record->parts[0]);
    std::erase_if(names, [&](const std::string& name) {
      return !withoutErrors([&] { return storedValue(record->parts[1], name); });
    });
    return names;
  case ExpressionRecordKind::named:
  case ExpressionRecordKind::related:
  case ExpressionRecordKind::selected:
    break;
  }
  if (record->kind == ExpressionRecordKind::selected &&
      record->parts[0]->kind > ExpressionRecordKind::selected)
    return memberNames(record->parts[0]);
  for (std::string& name : storedNames(record))
    if (std::ranges::find(names, name) == names.end() &&
        withoutErrors([&] { return storedValue(record, name); }))
      names.push_back(std::move(name));
  return names;
}

RecordMembers::Member RecordMembers::find(const RecordPtr& record, const std::string& name) {
  const auto [place, isNew] = m_members.try_emplace({record, name});
  if (isNew) { // During the search, the member counts as absent: it must not depend on itself.
    Member member = own(record, name);
    if (!member)
      if (const auto value = derived(record, name))
        member = *value;
    m_members[{record, name}] = member;
    return member;
  }
  return place->second;
}

RecordMembers::Member RecordMembers::own(const RecordPtr& record, const std::string& name) {
  switch (record->kind) {
  case ExpressionRecordKind::named:
    return ownOfNamed(record, name);
  case ExpressionRecordKind::related:
    return ownOfRelated(record, name);
  case ExpressionRecordKind::selected:
    return ownOfSelected(record, name);
  case ExpressionRecordKind::joined:
    return ownOfJoined(record, name);
  case ExpressionRecordKind::tuple:
    for (std::size_t i = 0; i < record->parts.size(); ++i)
      if (name == ordinals[i])
        return record->parts[i];
    return std::nullopt;
  case ExpressionRecordKind::particle:
    if (name != particleFacts[0] && name != particleFacts[1])
      return std::nullopt;
    return m_operators->exactFormula(name == particleFacts[0] ? Operation::particleMass
                                                              : Operation::particleCharge,
                                     std::span(&record->number, 1));
  default:
    return ownOfSum(record, name);
  }
}

RecordMembers::Member RecordMembers::ownOfNamed(const RecordPtr& record, const std::string& name) {
  const std::string& whole = record->name.name;
  if (Member member = named(whole + "." + name); member || !record->name.isSubset)
    return member && record->present.node != Node::none ? missingUnless(*member, record->present)
                                                        : member;
  const Member objects = named(whole + ".object");
  return objects ? own(std::get<RecordPtr>(*objects), name) : std::nullopt;
}

RecordMembers::Member RecordMembers::ownOfSelected(const RecordPtr& record,
                                                   const std::string& name) {
  // Derived members are computed once per object, not once per pair.
  const Member member =
      record->isRepeated ? find(record->parts[0], name) : own(record->parts[0], name);
  if (!member)
    return std::nullopt;
  if (const auto* inner = std::get_if<RecordPtr>(&*member)) {
    ExpressionRecord part = *record;
    part.parts = {*inner};
    part.depth = m_operators->typeOf(record->rows).depth + (*inner)->depth - record->level;
    return add(std::move(part));
  }
  const Value value = std::get<Value>(*member);
  const detail::ColumnType type = m_operators->typeOf(value);
  if (type.depth < record->level)
    return member; // equal for all rows
  const Value otherwise = record->mayBeNone ? m_operators->nothing(type.scalar) : Value{};
  return m_operators->gathered(value, record->rows, record->lists, record->level, otherwise);
}

/// A collection that references may lead to.
struct RecordMembers::Target {
  const RelationName::Target& name;
  RecordPtr objects;
  Member member; ///< the requested member
  Value rows;    ///< row of each reference's object, or rowOfNone
};

std::vector<RecordMembers::Target> RecordMembers::targetsOf(const RecordPtr& record,
                                                            const std::string& name) {
  const RelationName& relation = record->relation;
  if (relation.targets.empty())
    m_operators->fail(ErrorKind::name, quoted(record->text) +
                                           " cannot be followed: there is no "
                                           "collection of the type that it refers to");
  if (!relation.changed.empty())
    m_operators->fail(ErrorKind::usage,
                      quoted(record->text) + " cannot be followed after explode(\"" +
                          relation.changed + "\"), which changes the objects; define " +
                          "the columns that need them before it");
  std::vector<Target> targets;
  for (const RelationName::Target& target : relation.targets) {
    const Member whole = named(target.collection);
    if (!whole || !std::holds_alternative<RecordPtr>(*whole)) {
      targets.push_back({target, nullptr, std::nullopt, {}});
      continue;
    }
    const auto& objects = std::get<RecordPtr>(*whole);
    const std::array operands{listsOf(objects), record->index, record->collection};
    const unsigned depth = m_operators->typeOf(record->index).depth;
    targets.push_back(
        {target, objects, own(objects, name),
         m_operators->rows(Operation::rowsRelated, operands, 1, depth, target.number)});
  }
  return targets;
}

/// Returns a member of the objects that references lead to, in one or several collections.
RecordMembers::Member RecordMembers::ownOfRelated(const RecordPtr& record,
                                                  const std::string& name) {
  if (name == "index" || name == "collection")
    return name == "index" ? record->index : record->collection;
  const std::vector<Target> targets = targetsOf(record, name);
  const auto has = [](const Target& target) { return target.member.has_value(); };
  if (std::ranges::none_of(targets, has))
    return std::nullopt;
  if (targets.size() == 1)
    return own(selected(targets[0].objects, targets[0].rows, 1, true), name);
  if (const auto without = std::ranges::find_if_not(targets, has); without != targets.end())
    m_operators->fail(ErrorKind::name, quoted(record->text) + " may lead to " +
                                           quoted(without->name.collection) +
                                           ", whose objects have no " + quoted(name));
  return united(record, name, targets);
}

/// Returns a member that several collections have.
Meaning RecordMembers::united(const RecordPtr& record, const std::string& name,
                              const std::vector<Target>& targets) {
  const auto isValue = [](const Target& target) {
    return std::holds_alternative<Value>(*target.member);
  };
  if (std::ranges::none_of(targets, isValue))
    return unitedRecord(record, name, targets);
  if (!std::ranges::all_of(targets, isValue))
    m_operators->fail(ErrorKind::type, quoted(name) +
                                           " is a number in some of the collections that '" +
                                           record->text + "' leads to, and a component in others");
  const auto value = [](const Target& target) { return std::get<Value>(*target.member); };
  const Value none = m_operators->nothing(m_operators->typeOf(value(targets[0])).scalar);
  return unitedValue(name, targets, none, value);
}

/// Returns a component that all collections have, or the objects that a relation of all collections
/// leads to.
RecordPtr RecordMembers::unitedRecord(const RecordPtr& record, const std::string& name,
                                      const std::vector<Target>& targets) {
  const auto part = [](const Target& target) { return std::get<RecordPtr>(*target.member); };
  const ExpressionRecordKind kind = part(targets[0])->kind;
  for (const Target& target : targets)
    if (part(target)->kind != kind ||
        (kind != ExpressionRecordKind::named && kind != ExpressionRecordKind::related))
      m_operators->fail(ErrorKind::type,
                        quoted(record->text) +
                            " may lead to several collections; only members, components and "
                            "relations that all of them have can be used, not '" +
                            name + "'");
  if (std::ranges::any_of(
          targets, [&](const Target& target) { return part(target)->present.node != Node::none; }))
    m_operators->fail(ErrorKind::type,
                      quoted(record->text) + " may lead to several collections, and '" + name +
                          "' of their objects may be missing: its members cannot be used");
  ExpressionRecord result = *record;
  result.relation.targets.clear();
  if (kind == ExpressionRecordKind::named) {
    for (const Target& target : targets)
      result.relation.targets.push_back({part(target)->name.name, target.name.number});
    return add(std::move(result));
  }
  for (const Target& target : targets) {
    const RelationName& relation = part(target)->relation;
    for (const RelationName::Target& further : relation.targets)
      if (std::ranges::find(result.relation.targets, further.number,
                            &RelationName::Target::number) == result.relation.targets.end())
        result.relation.targets.push_back(further);
    if (!relation.changed.empty())
      result.relation.changed = relation.changed;
  }
  const Value noObject = m_operators->converted(m_operators->literal(std::int64_t{-1}),
                                                m_operators->typeOf(record->index).scalar);
  const Value noCollection = m_operators->nothing(m_operators->typeOf(record->collection).scalar);
  result.index =
      unitedValue(name, targets, noObject, [&](const Target& t) { return part(t)->index; });
  result.collection = unitedValue(name, targets, noCollection,
                                  [&](const Target& t) { return part(t)->collection; });
  result.depth = m_operators->typeOf(result.index).depth;
  return add(std::move(result));
}

/// Combines values of several collections: each reference gets the value of its collection.
template <class ValueOf>
Value RecordMembers::unitedValue(const std::string& name, const std::vector<Target>& targets,
                                 Value none, ValueOf valueOf) {
  const detail::ColumnType type = m_operators->typeOf(valueOf(targets[0]));
  Value result = type.depth > 1 ? Value{} : none; // else empty lists
  for (const Target& target : targets) {
    if (!(m_operators->typeOf(valueOf(target)) == type))
      m_operators->fail(ErrorKind::type, quoted(name) + " is " + nameOf(type) + " in " +
                                             quoted(targets[0].name.collection) + ", but " +
                                             nameOf(m_operators->typeOf(valueOf(target))) + " in " +
                                             quoted(target.name.collection));
    result =
        m_operators->gathered(valueOf(target), target.rows, listsOf(target.objects), 1, result);
  }
  return result;
}

/// Returns a member of both records, stored or derived.
RecordMembers::Member RecordMembers::ownOfJoined(const RecordPtr& record, const std::string& name) {
  const auto a = component(record->parts[0], name), b = component(record->parts[1], name);
  if (!a || !b)
    return std::nullopt;
  return m_operators->concatenated(*a, *b);
}

RecordMembers::Member RecordMembers::ownOfSum(const RecordPtr& record, const std::string& name) {
  if (name != "px" && name != "py" && name != "pz" && name != "E")
    return std::nullopt;
  std::array<Value, 2> values{};
  for (std::size_t i = 0; i < record->parts.size(); ++i) {
    const auto value = component(record->parts[i], name);
    if (!value)
      m_operators->fail(ErrorKind::name, quoted(record->parts[i]->text) + " has no " + name +
                                             ", nor does it follow from its members");
    values[i] = m_operators->converted(*value, Scalar::Float64);
  }
  m_operators->requireOneUnit(std::span(values).first(record->parts.size()));
  if (record->kind == ExpressionRecordKind::total)
    return m_operators->reduction(Operation::sum, values[0]);
  return m_operators->arithmetic(record->kind == ExpressionRecordKind::sum ? Operation::add
                                                                           : Operation::subtract,
                                 values[0], values[1]);
}

// ---- Kinematics ----

std::optional<Value> RecordMembers::ownNumber(const RecordPtr& record, const std::string& name) {
  const Member member = own(record, name);
  if (!member || !std::holds_alternative<Value>(*member))
    return std::nullopt;
  return std::get<Value>(*member);
}

std::optional<Value> RecordMembers::component(const RecordPtr& record, const std::string& name) {
  const Member member = find(record, name);
  if (!member || !std::holds_alternative<Value>(*member))
    return std::nullopt;
  return std::get<Value>(*member);
}

std::optional<Value> RecordMembers::formula(const RecordPtr& record, Operation operation,
                                            std::initializer_list<const char*> components) {
  std::vector<Value> values, momenta;
  for (const std::string name : components) {
    const auto value = component(record, name);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
    if (name != "phi" && name != "eta")
      momenta.push_back(*value);
  }
  m_operators->requireOneUnit(momenta);
  return m_operators->exactFormula(operation, values);
}

/// Returns the stored members that hold components of four-momenta.
const MomentumMembers& RecordMembers::momentumOf(const RecordPtr& record) {
  const auto [place, isNew] = m_momenta.try_emplace(record);
  if (isNew)
    place->second = detail::momentumMembers(storedNames(record));
  return place->second;
}

/// Returns a member that follows from others, or that has another name in the file.
std::optional<Value> RecordMembers::derived(const RecordPtr& record, const std::string& name) {
  const MomentumMembers& momentum = momentumOf(record);
  const auto stored = [&](std::string_view member) {
    return withoutErrors([&] { return storedValue(record, member); });
  };
  if (const std::string_view member = momentum.of(name); !member.empty())
    if (const auto value = stored(member))
      return value;
  constexpr std::array<std::string_view, 3> cartesian = {"px", "py", "pz"};
  if (const auto* const axis = std::ranges::find(cartesian, name); axis != cartesian.end()) {
    const std::string letter(1, name[1]);
    if (!own(record, "pt")) // With pt, x, y and z would be a position.
      if (const auto value = ownNumber(record, letter))
        return value;
    if (name == "pz")
      return formula(record, Operation::pz, {"pt", "eta"});
    return formula(record, name == "px" ? Operation::px : Operation::py, {"pt", "phi"});
  }
  if (name == "E")
    return formula(record, Operation::energy, {"px", "py", "pz", "mass"});
  if (name == "pt")
    return formula(record, Operation::pt, {"px", "py"});
  if (name == "phi")
    return formula(record, Operation::phi, {"px", "py"});
  if (name == "p")
    return formula(record, Operation::p, {"px", "py", "pz"});
  if (name == "eta")
    return formula(record, Operation::eta, {"px", "py", "pz"});
  if (name == "theta")
    return formula(record, Operation::theta, {"px", "py", "pz"});
  if (name == "mass" && momentum.isMassless)
    if (const auto pt = stored(momentum.of("pt")))
      return m_operators->choice(m_operators->presence(*pt), m_operators->literal(0.0),
                                 m_operators->literal(0.0));
  if (name == "mass")
    if (const auto number = stored(momentum.of("particle"))) {
      if (const auto px = component(record, "px"))
        m_operators->requireGeV(*px);
      return m_operators->exactFormula(Operation::particleMass, std::span(&*number, 1));
    }
  if (name == "mass")
    return formula(record, Operation::mass, {"px", "py", "pz", "E"});
  if (name == "rapidity")
    return formula(record, Operation::rapidity, {"pz", "E"});
  return std::nullopt;
}

// ---- Lists ----

Value RecordMembers::indices(const RecordPtr& record) {
  if (record->kind == ExpressionRecordKind::related)
    return m_operators->asIndex(record->index);
  if (record->kind != ExpressionRecordKind::selected)
    return m_operators->indices(listsOf(record), record->depth);
  const Value inside = indices(record->parts[0]);
  const Value none = record->mayBeNone ? m_operators->literal(std::int64_t{-1}) : Value{};
  return m_operators->gathered(inside, record->rows, record->lists, record->level, none);
}

std::vector<std::string> RecordMembers::membersWithLists(const RecordPtr& record) {
  std::vector<std::string> names;
  for (const auto& [component, member] : momentumOf(record).members)
    names.push_back(member);
  std::ranges::copy(std::views::reverse(namesBelow(record)), std::back_inserter(names));
  return names;
}

Value RecordMembers::listsOf(const RecordPtr& record) {
  if (record->depth > 0)
    switch (record->kind) {
    case ExpressionRecordKind::named:
      if (!record->name.table.empty())
        return m_operators->listsOfTable(record->name.table, record->depth);
      // Any member has these lists. Columns with a common prefix may differ, so momenta come first.
      for (const std::string& name : membersWithLists(record))
        if (const Member member = find(record, name))
          if (const auto* const value = std::get_if<Value>(&*member);
              value && m_operators->typeOf(*value).depth == record->depth)
            return m_operators->listsOf(*value);
      break;
    case ExpressionRecordKind::related:
      return m_operators->listsOf(record->index);
    case ExpressionRecordKind::selected: {
      const unsigned ownDepth = m_operators->typeOf(record->rows).depth;
      if (ownDepth == record->depth)
        return m_operators->listsOf(record->rows);
      return m_operators->gathered(listsOf(record->parts[0]), record->rows, record->lists,
                                   record->level, {});
    }
    case ExpressionRecordKind::sum:
    case ExpressionRecordKind::difference:
      return listsOf(record->parts[record->parts[0]->depth < record->parts[1]->depth ? 1 : 0]);
    case ExpressionRecordKind::tuple:
      return listsOf(record->parts[0]);
    case ExpressionRecordKind::joined:
      return m_operators->concatenated(listsOf(record->parts[0]), listsOf(record->parts[1]));
    case ExpressionRecordKind::particle:
      return m_operators->listsOf(record->number);
    case ExpressionRecordKind::total:
      break;
    }
  m_operators->fail(ErrorKind::type, quoted(record->text) + " is not a list");
}

ExpressionRecord RecordMembers::selection(const RecordPtr& record, Value rows, unsigned level) {
  ExpressionRecord result;
  result.kind = ExpressionRecordKind::selected;
  result.parts = {record};
  result.rows = rows;
  result.lists = listsOf(record);
  result.level = level;
  result.depth = m_operators->typeOf(rows).depth + record->depth - level;
  return result;
}

RecordPtr RecordMembers::selected(const RecordPtr& record, Value rows, unsigned level,
                                  bool mayBeNone) {
  ExpressionRecord result = selection(record, rows, level);
  result.mayBeNone = mayBeNone;
  return add(std::move(result));
}

RecordPtr RecordMembers::repeated(const RecordPtr& record, Value rows) {
  ExpressionRecord result = selection(record, rows, 1);
  result.isRepeated = true;
  return add(std::move(result));
}

RecordPtr RecordMembers::particles(Value numbers) {
  ExpressionRecord result;
  result.kind = ExpressionRecordKind::particle;
  result.number = numbers;
  result.depth = m_operators->typeOf(numbers).depth;
  return add(std::move(result));
}

RecordPtr RecordMembers::combined(ExpressionRecordKind kind, std::vector<RecordPtr> parts,
                                  unsigned depth) {
  ExpressionRecord result;
  result.kind = kind;
  result.parts = std::move(parts);
  result.depth = depth;
  return add(std::move(result));
}

} // namespace kaon::expression
