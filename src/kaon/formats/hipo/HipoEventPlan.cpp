#include <kaon/formats/hipo/HipoEventPlan.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/formats/hipo/HipoContents.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

namespace kaon::hipo {
namespace {

constexpr std::uint32_t firstGroup = 1000;
constexpr std::uint32_t itemsOfGroup = 127; // HIPO's Java library does not find greater ones
constexpr std::string_view nodePrefix = "node_", compositePrefix = "composite_";

std::uint32_t freeKey(std::uint32_t number) {
  return structureKey(firstGroup + number / itemsOfGroup, 1 + number % itemsOfGroup);
}

/// Returns the key in a name such as "node_20_3", or nothing.
std::optional<std::uint32_t> keyIn(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix))
    return std::nullopt;
  const char* const end = name.data() + name.size();
  std::uint16_t group = 0;
  std::uint8_t item = 0;
  const auto [mark, wrong] = std::from_chars(name.data() + prefix.size(), end, group);
  if (wrong != std::errc{} || mark == end || *mark != '_')
    return std::nullopt;
  const auto [rest, wrongToo] = std::from_chars(mark + 1, end, item);
  return wrongToo == std::errc{} && rest == end ? std::optional(structureKey(group, item))
                                                : std::nullopt;
}

/// Whether a table has 32 bits for each event, like a tag.
bool isWord(const Table& table) {
  return table.kind == TableKind::value && table.members.size() == 1 &&
         table.members[0].name.empty() && table.members[0].extent == 1 &&
         (table.members[0].type == Scalar::Int32 || table.members[0].type == Scalar::UInt32);
}

bool isAllowed(std::string_view name) {
  return !name.empty() && name.find_first_of("{}/,# \t\r\n") == std::string_view::npos;
}

/// Whether the header of an event has the table's values.
bool isInHeader(const Table& table) {
  return isWord(table) && (table.name == "tag" || table.name == "mask");
}

using Names = std::set<std::string, std::less<>>;

/// Returns a type of HIPO that has all values of a type that HIPO lacks.
std::optional<Scalar> widerType(Scalar type) noexcept {
  switch (type) {
  case Scalar::Bool:
    return Scalar::Int8;
  case Scalar::UInt8:
    return Scalar::Int16;
  case Scalar::UInt16:
    return Scalar::Int32;
  case Scalar::UInt32:
    return Scalar::Int64;
  default:
    return std::nullopt;
  }
}

constexpr std::string_view noLists = "HIPO has no lists or strings in the rows of a bank";

/// Whether a member tells if an optional has a value.
bool isPresence(const Member& member) {
  return member.type == Scalar::Bool && member.structure.ends_with(optionalStep) &&
         std::string_view(member.name).ends_with(joined(".", optionalPresence));
}

/// Whether a member is the presence of a list or string, which is in a table of its own.
bool isPresenceOfList(const Table& table, const Member& member) {
  const auto head = member.name.substr(0, member.name.size() - optionalPresence.size());
  return isPresence(member) && std::ranges::none_of(table.members, [&](const Member& other) {
           return other.name != member.name && other.name.starts_with(head);
         });
}

/// Returns why a member cannot be a column, not even of a wider type, or "".
std::string obstacleOf(const Member& member) {
  if (!member.name.empty() && !isAllowed(member.name))
    return "HIPO cannot have a column of this name: names must not contain {}/,# or blanks";
  if (columnLetter(member.type) == '\0' && !widerType(member.type))
    return std::string("HIPO has no ").append(nameOf(member.type)).append(", nor a wider type");
  return "";
}

/// Returns why a table cannot be a structure, even without some of its members, or "". `names` are
/// those of earlier tables.
std::string obstacleOf(const Table& table, Names& names) {
  if (isInHeader(table))
    return "";
  if (table.isRoot() && !names.emplace(table.name).second)
    return "another table has the same name";
  if (!table.isRoot())
    return table.kind == TableKind::oneRelation || table.kind == TableKind::manyRelation
               ? "HIPO has no relations"
               : std::string(noLists);
  const auto isOfList = [&](const Member& member) { return isPresenceOfList(table, member); };
  if (std::ranges::all_of(table.members, isOfList)) // a subset, or relations and lists only
    return table.kind == TableKind::collection ? "a bank of HIPO needs at least one column"
                                               : "HIPO has no strings, and no lists of lists";
  if (!isAllowed(table.name))
    return "HIPO cannot have a bank of this name: names must not contain {}/,# or blanks";
  const auto isLost = [](const Member& member) { return !obstacleOf(member).empty(); };
  return std::ranges::all_of(table.members, isLost) ? obstacleOf(table.members[0]) : "";
}

/// Returns the losses if a table's members are stored in a bank.
std::vector<detail::Loss> lossesOfMembers(const Table& table, std::uint32_t number) {
  std::vector<detail::Loss> losses;
  for (std::uint32_t i = 0; i < table.members.size(); ++i) {
    const Scalar type = table.members[i].type;
    if (std::string obstacle = obstacleOf(table.members[i]); !obstacle.empty())
      losses.push_back({number, std::move(obstacle), i});
    else if (isPresenceOfList(table, table.members[i]))
      losses.push_back({number, std::string(noLists), i});
    else if (isPresence(table.members[i]))
      losses.push_back({number,
                        "HIPO has no values that may be missing; a column of int8 tells which are "
                        "present",
                        i, Scalar::Int8});
    else if (const auto wider = widerType(type))
      losses.push_back({number,
                        std::string("HIPO has no ")
                            .append(nameOf(type))
                            .append("; ")
                            .append(nameOf(*wider))
                            .append(" holds all of its values"),
                        i, wider});
  }
  return losses;
}

StructureType typeOfNode(Scalar type) noexcept {
  switch (type) {
  case Scalar::Int8:
    return StructureType::int8;
  case Scalar::Int16:
    return StructureType::int16;
  case Scalar::Int64:
    return StructureType::int64;
  case Scalar::Float32:
    return StructureType::float32;
  case Scalar::Float64:
    return StructureType::float64;
  default:
    return StructureType::int32;
  }
}

/// Whether the members are plain numbers named c0, c1, ..., like those of composites.
bool isComposite(const Table& table) {
  constexpr std::size_t most = 127; // C++ does not read longer formats
  for (std::uint32_t i = 0; i < table.members.size(); ++i)
    if (table.members[i].name != std::string("c").append(std::to_string(i)) ||
        table.members[i].extent != 1)
      return false;
  return table.kind == TableKind::collection && table.members.size() <= most;
}

StructurePlan planOf(const Table& table, std::uint32_t number, BankNumbers& numbers) {
  StructurePlan plan;
  plan.table = number;
  plan.bank.name = table.name;
  plan.bank.description = table.description;
  for (const Member& member : table.members) {
    plan.bank.columns.push_back({member.name.empty() ? "value" : std::string(member.name),
                                 member.type, member.extent, std::string(member.description)});
    plan.rowBytes += member.size();
  }
  const auto node = keyIn(table.name, nodePrefix), composite = keyIn(table.name, compositePrefix);
  std::optional<std::uint32_t> key;
  if (node && table.kind == TableKind::parameter && table.members.size() == 1 &&
      table.members[0].extent == 1) {
    plan.type = typeOfNode(table.members[0].type);
    key = node;
  } else if (composite && isComposite(table)) {
    plan.type = StructureType::composite;
    key = composite;
    for (const BankColumn& column : plan.bank.columns)
      plan.format += static_cast<char>(columnLetter(column.type) - 'A' + 'a');
  }
  if (!key)
    key = numbers.keyOf(plan.bank.name);
  plan.bank.group = groupOf(*key);
  plan.bank.item = itemOf(*key);
  return plan;
}

/// Throws for structures with the same key: "node_20_3", and a bank that was read with these
/// numbers.
void checkKeys(const HipoEventPlan& plan, const std::string& file) {
  std::map<std::uint32_t, std::string_view> names;
  for (const StructurePlan& structure : plan.structures)
    if (const auto [known, isNew] = names.emplace(structure.bank.key(), structure.bank.name);
        !isNew)
      fail(ErrorKind::usage, file, ": '", structure.bank.name, "' and '", known->second,
           "' would be structures of the same group and item, ", structure.bank.group, " and ",
           structure.bank.item, "; rename one of them");
}

} // namespace

void BankNumbers::take(const Metadata& metadata) {
  for (const std::string& category : metadata.parts())
    for (const std::string& bank : metadata.findPart(category)->parts()) {
      const Metadata& part = *metadata.findPart(category)->findPart(bank);
      const Json* const group = part.find(groupKey);
      const Json* const item = part.find(itemKey);
      const auto* const g = group ? group->as<std::int64_t>() : nullptr;
      const auto* const i = item ? item->as<std::int64_t>() : nullptr;
      if (!g || !i || *g < 0 || *i < 0 || *g > std::numeric_limits<std::uint16_t>::max() ||
          *i > std::numeric_limits<std::uint8_t>::max() || m_keys.contains(bank))
        continue;
      const std::uint32_t key =
          structureKey(static_cast<std::uint32_t>(*g), static_cast<std::uint32_t>(*i));
      if (m_used.insert(key).second)
        m_keys.emplace(bank, key);
    }
}

std::uint32_t BankNumbers::keyOf(const std::string& bank) {
  if (const auto known = m_keys.find(bank); known != m_keys.end())
    return known->second;
  while (!m_used.insert(freeKey(m_next)).second)
    ++m_next;
  return m_keys[bank] = freeKey(m_next);
}

HipoEventPlan planEvents(const Schema& schema, BankNumbers& numbers, const std::string& file) {
  if (const std::vector<detail::Loss> losses = lossesInEvents(schema); !losses.empty()) {
    const detail::Loss& loss = losses.front();
    fail(ErrorKind::usage, file, ": a HIPO file cannot hold '",
         loss.member ? schema.nameOfMember(loss.table, *loss.member)
                     : std::string(schema.table(loss.table).name),
         "': ", loss.reason, "; leave it out, or write to a .kaon file");
  }
  HipoEventPlan plan;
  for (const Table& table : schema.tables())
    for (const std::string_view prefix : {nodePrefix, compositePrefix})
      if (const auto key = keyIn(table.name, prefix))
        numbers.reserve(*key);
  for (std::uint32_t number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    if (isInHeader(table))
      (table.name == "tag" ? plan.tag : plan.mask) = number;
    else
      plan.structures.push_back(planOf(table, number, numbers));
  }
  checkKeys(plan, file);
  return plan;
}

std::string obstacleTo(std::string_view category) {
  return category == eventsCategory ? "" : "a HIPO file has one category, 'events'";
}

std::vector<detail::Loss> lossesInEvents(const Schema& schema) {
  std::vector<detail::Loss> losses;
  Names names;
  for (std::uint32_t number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    if (std::string obstacle = obstacleOf(table, names); !obstacle.empty())
      losses.push_back({number, std::move(obstacle)});
    else if (!isInHeader(table))
      std::ranges::move(lossesOfMembers(table, number), std::back_inserter(losses));
  }
  return losses;
}

} // namespace kaon::hipo
