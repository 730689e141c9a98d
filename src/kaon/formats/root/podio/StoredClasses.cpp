#include <kaon/formats/root/podio/StoredClasses.h>

#include <kaon/formats/root/podio/CollectionId.h>
#include <kaon/formats/root/podio/FrameNames.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kaon::root::podio {
namespace {

// podio's own classes have no version that ROOT knows.
constexpr std::uint32_t noVersion = ~std::uint32_t{0};
constexpr std::uint32_t schemaVersionOfOwn = 1;
const FieldForm::RecordClass objectId{.name = "podio::ObjectID", .version = noVersion};
const FieldForm::RecordClass linkData{.name = "podio::LinkData", .version = noVersion};
constexpr std::string_view kaonLinkPrefix = "kaon::Link<"; // of links that no model has
constexpr Leaf linkWeight{"weight", Scalar::Float32, 1, 0, {}, {}};
constexpr std::array linkEnds{Relation{"from", false, {}, {}, {}},
                              Relation{"to", false, {}, {}, {}}};
constexpr Datatype anyLink{.name = kaonLinkPrefix,
                           .description = {},
                           .rowSize = sizeof(float),
                           .defaults = {},
                           .leaves = {&linkWeight, 1},
                           .vectors = {},
                           .relations = linkEnds};

/// What stands between a prefix and '>'.
std::string_view inside(std::string_view type, std::string_view prefix) {
  return type.substr(prefix.size(), type.size() - prefix.size() - 1);
}

bool isUserData(const Table& collection) {
  return collection.members.size() == 1 && collection.members[0].name.empty();
}

/// Whether a table is as its datatype wants it, apart from what does not matter to its values.
bool areSame(const Table& table, const TableDefinition& wanted) {
  return table.kind == wanted.kind &&
         std::ranges::equal(table.members, wanted.members,
                            [](const Member& x, const MemberDefinition& y) {
                              return x.name == y.name && x.type == y.type && x.extent == y.extent;
                            });
}

} // namespace

StoredClasses::StoredClasses(std::span<const ModelDatatypes::Document> models)
    : m_layouts({models.begin(), models.end()}) {
  for (const ModelDatatypes::Document& model : models)
    m_models.push_back(Model::fromJson(model.json, model.where));
  for (const Model& model : m_models) {
    add(model);
    for (const Model& other : model.upstream)
      add(other);
  }
}

void StoredClasses::add(const Model& model) {
  for (const Model::Component& component : model.components)
    m_components.emplace(component.name, Known{&component, model.schemaVersion});
  for (const Model::Datatype& datatype : model.datatypes)
    m_datatypes.emplace(datatype.name, Known{&datatype, model.schemaVersion});
  for (const Model::Link& link : model.links)
    m_links.emplace(link.name, Known{&link, model.schemaVersion});
}

/// Why podio's classes have no such members, of components that were not looked at yet; "" if they
/// have.
std::string StoredClasses::mistakeIn(const std::vector<Model::Member>& members,
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

std::string StoredClasses::mistakeIn(std::string_view type) const {
  if (type.starts_with(kaonLinkPrefix) || m_links.contains(type))
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

std::vector<Loss> StoredClasses::losses(const Schema& schema, std::uint32_t collection) const {
  const Table root = schema.table(collection);
  if (isUserData(root))
    return {};
  const bool isSubset = root.type.starts_with(subsetPrefix);
  const std::string_view type = isSubset ? inside(root.type, subsetPrefix) : root.type;
  if (std::string reason = mistakeIn(type); !reason.empty())
    return {{collection, std::move(reason)}};
  if (isSubset)
    return {};
  std::vector<Loss> losses;
  std::vector<TableDefinition> wanted =
      tablesOf(type.starts_with(kaonLinkPrefix) ? anyLink : *m_layouts.find(type), root.name,
               collection, Layout::split);
  for (const std::uint32_t number : schema.tablesUnder(collection)) {
    const Table table = schema.table(number);
    if (table.kind == TableKind::decoration)
      continue; // which podio has none of, whatever they are
    const auto same = std::ranges::find(wanted, table.name, &TableDefinition::name);
    if (same == wanted.end()) {
      losses.push_back({number, std::string("'").append(type).append("' has no such member")});
    } else if (!areSame(table, *same)) {
      return {
          {collection, std::string("it does not have the members of '").append(type).append("'")}};
    } else {
      wanted.erase(same);
    }
  }
  if (!wanted.empty())
    return {{collection, std::string("it is without '").append(wanted[0].name).append("'")}};
  return losses;
}

CollectionDescription StoredClasses::describe(const Table& collection) const {
  CollectionDescription description{.id = collectionId(collection.name),
                                    .name = std::string(collection.name)};
  std::string element;
  description.schemaVersion = schemaVersionOfOwn;
  description.isSubset = collection.type.starts_with(subsetPrefix);
  const std::string_view type =
      description.isSubset ? inside(collection.type, subsetPrefix) : collection.type;
  if (isUserData(collection)) {
    element = cppName(collection.members[0].type);
    description.type = std::string(userDataPrefix).append(element).append(">");
  } else if (type.starts_with(kaonLinkPrefix)) {
    element = linkData.name;
    description.type = std::string(linkPrefix).append(inside(type, kaonLinkPrefix)).append(">");
  } else if (const auto link = m_links.find(type); link != m_links.end()) {
    element = linkData.name;
    const Model::Link& ends = *link->second.type;
    description.type = std::string(linkPrefix).append(ends.from).append(",").append(ends.to) + ">";
  } else {
    element = std::string(type).append("Data");
    description.type = std::string(type).append(collectionSuffix);
    description.schemaVersion = m_datatypes.at(type).version;
  }
  description.storage = std::string("std::vector<").append(element).append(">");
  return description;
}

void StoredClasses::addTo(FieldForm& form, const Table& collection) const {
  const std::string name(collection.name);
  if (isUserData(collection))
    return;
  if (collection.type.starts_with(subsetPrefix)) {
    form.classes.emplace(name + std::string(subsetSuffix), objectId);
    return;
  }
  const auto datatype = m_datatypes.find(collection.type);
  if (datatype == m_datatypes.end()) {
    form.classes.emplace(name, linkData);
    for (const std::string_view end : {"from", "to"})
      form.classes.emplace(sideName(name, end), objectId);
    return;
  }
  const auto& [type, version] = datatype->second;
  form.classes.emplace(name,
                       FieldForm::RecordClass{.name = type->name + "Data", .version = version});
  addMembers(form, name, type->members);
  for (const Model::Member& vector : type->vectorMembers)
    addRecord(form, sideName(name, vector.name), vector.type, 0);
  for (const Model::Relation& relation : type->relations)
    form.classes.emplace(sideName(name, relation.name), objectId);
}

void StoredClasses::addMembers(FieldForm& form, const std::string& path,
                               const std::vector<Model::Member>& members) const {
  for (const Model::Member& member : members)
    addRecord(form, std::string(path).append(".").append(member.name), member.type,
              member.shape.empty() ? 0 : member.shape[0]);
}

/// Adds the class of a component, if it is one.
void StoredClasses::addRecord(FieldForm& form, const std::string& path, std::string_view component,
                              std::uint32_t arraySize) const {
  const auto known = m_components.find(component);
  if (known == m_components.end())
    return;
  const auto& [type, version] = known->second;
  form.classes.emplace(
      path, FieldForm::RecordClass{.name = type->name, .version = version, .arraySize = arraySize});
  addMembers(form, path, type->members);
}

} // namespace kaon::root::podio
