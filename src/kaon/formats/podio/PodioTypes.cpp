#include <kaon/formats/podio/PodioTypes.h>

#include <kaon/model/Builtin.h>
#include <kaon/model/CollectionTables.h>
#include <kaon/model/Datatype.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kaon {
namespace {

constexpr Leaf linkWeight{"weight", Scalar::Float32, 1, 0, {}, {}};
constexpr std::array linkEnds{Relation{"from", false, {}, {}, {}},
                              Relation{"to", false, {}, {}, {}}};
constexpr Datatype anyLink{.name = ownLinkPrefix,
                           .description = {},
                           .rowSize = sizeof(float),
                           .defaults = {},
                           .leaves = {&linkWeight, 1},
                           .vectors = {},
                           .relations = linkEnds};

/// Returns the text between a prefix and '>'.
std::string_view inside(std::string_view type, std::string_view prefix) {
  return type.substr(prefix.size(), type.size() - prefix.size() - 1);
}

bool isUserData(const Table& collection) {
  return collection.members.size() == 1 && collection.members[0].name.empty();
}

/// Returns whether a table has the members of its datatype. Ignores details that do not affect
/// values.
bool areSame(const Table& table, const TableDefinition& wanted) {
  return table.kind == wanted.kind &&
         std::ranges::equal(table.members, wanted.members,
                            [](const Member& x, const MemberDefinition& y) {
                              return x.name == y.name && x.type == y.type && x.extent == y.extent;
                            });
}

} // namespace

PodioTypes::PodioTypes(std::span<const ModelDatatypes::Document> models)
    : m_layouts({models.begin(), models.end()}) {
  for (const ModelDatatypes::Document& model : models)
    m_models.push_back(Model::fromJson(model.json, model.where));
  for (const Model& model : m_models) {
    add(model);
    for (const Model& other : model.upstream)
      add(other);
  }
}

void PodioTypes::add(const Model& model) {
  for (const Model::Component& component : model.components)
    m_components.emplace(component.name, Known<Model::Component>{&component, model.schemaVersion});
  for (const Model::Datatype& datatype : model.datatypes)
    m_datatypes.emplace(datatype.name, Known<Model::Datatype>{&datatype, model.schemaVersion});
  for (const Model::Link& link : model.links)
    m_links.emplace(link.name, Known<Model::Link>{&link, model.schemaVersion});
}

/// Returns why podio's classes cannot have these members, or "". Skips components in `known`, and
/// adds the checked ones.
std::string PodioTypes::mistakeIn(const std::vector<Model::Member>& members,
                                  std::set<std::string_view>& known) const {
  for (const Model::Member& member : members) {
    const std::string name = std::string("its member '").append(member.name).append("' ");
    if (member.isOptional)
      return name + "is optional";
    if (member.shape.size() > 1 || member.depth > 0)
      return name + "has several dimensions";
    if (member.type == "std::string")
      return name + "is a string";
    const auto component = m_components.find(member.type);
    if (component == m_components.end() && member.shape.size() == 1 && member.shape[0] == 1)
      return name + "is an array of one number, which kaon's files do not tell from a number";
    if (component == m_components.end() || !known.insert(member.type).second)
      continue;
    if (component->second.type->members.empty())
      return name + "is of a component without members";
    if (std::string reason = mistakeIn(component->second.type->members, known); !reason.empty())
      return reason;
  }
  return "";
}

std::string PodioTypes::mistakeIn(std::string_view type) const {
  if (type.starts_with(ownLinkPrefix) || m_links.contains(type))
    return "";
  const auto datatype = m_datatypes.find(type);
  if (datatype == m_datatypes.end() || !m_layouts.find(type))
    return type.empty()
               ? std::string("it has no datatype")
               : std::string("there is no model with its datatype '").append(type).append("'");
  std::set<std::string_view> known;
  if (std::string reason = mistakeIn(datatype->second.type->members, known); !reason.empty())
    return reason;
  return mistakeIn(datatype->second.type->vectorMembers, known);
}

std::vector<PodioTypes::Obstacle> PodioTypes::obstacles(const Schema& schema,
                                                        TableNumber collection) const {
  const Table root = schema.table(collection);
  if (isUserData(root))
    return {};
  const bool isSubset = root.type.starts_with(detail::subsetPrefix);
  const std::string_view type = isSubset ? inside(root.type, detail::subsetPrefix) : root.type;
  if (std::string reason = mistakeIn(type); !reason.empty())
    return {{collection, std::move(reason)}};
  if (isSubset)
    return {};
  std::vector<Obstacle> obstacles;
  std::vector<TableDefinition> wanted =
      tablesOf(type.starts_with(ownLinkPrefix) ? anyLink : *m_layouts.find(type), root.name,
               collection, Layout::split);
  for (const TableNumber number : schema.tablesUnder(collection)) {
    const Table table = schema.table(number);
    if (table.kind == TableKind::decoration)
      continue; // podio has no decorations of any kind
    const auto same = std::ranges::find(wanted, table.name, &TableDefinition::name);
    if (same == wanted.end()) {
      obstacles.push_back(
          {number, std::string("'").append(type).append("' does not have this member")});
    } else if (!areSame(table, *same)) {
      return {
          {collection, std::string("it does not have the members of '").append(type).append("'")}};
    } else {
      wanted.erase(same);
    }
  }
  if (!wanted.empty())
    return {{collection, std::string("it is without '").append(wanted[0].name).append("'")}};
  return obstacles;
}

PodioType PodioTypes::typeOf(const Table& collection) const {
  PodioType of;
  of.isSubset = collection.type.starts_with(detail::subsetPrefix);
  const std::string_view type =
      of.isSubset ? inside(collection.type, detail::subsetPrefix) : collection.type;
  if (isUserData(collection)) {
    of.kind = PodioType::Kind::userData;
    of.name = builtinName(collection.members[0].type);
  } else if (type.starts_with(ownLinkPrefix)) {
    of.kind = PodioType::Kind::link;
    of.name = inside(type, ownLinkPrefix);
  } else if (const auto link = m_links.find(type); link != m_links.end()) {
    of.kind = PodioType::Kind::link;
    of.name = std::string(link->second.type->from).append(",").append(link->second.type->to);
  } else {
    of.name = type;
    of.schemaVersion = m_datatypes.at(type).version;
  }
  return of;
}

PodioTypes::Known<Model::Component> PodioTypes::component(std::string_view name) const {
  const auto known = m_components.find(name);
  return known == m_components.end() ? Known<Model::Component>() : known->second;
}

PodioTypes::Known<Model::Datatype> PodioTypes::datatype(std::string_view name) const {
  const auto known = m_datatypes.find(name);
  return known == m_datatypes.end() ? Known<Model::Datatype>() : known->second;
}

} // namespace kaon
