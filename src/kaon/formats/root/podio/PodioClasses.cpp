#include <kaon/formats/root/podio/PodioClasses.h>

#include <kaon/formats/podio/PodioCollectionId.h>
#include <kaon/formats/root/podio/FrameNames.h>

#include <utility>

namespace kaon::root::podio {
namespace {

// ROOT knows no version of podio's own classes.
constexpr std::uint32_t noVersion = ~std::uint32_t{0};
const FieldForm::RecordClass objectId{.name = "podio::ObjectID", .version = noVersion};
const FieldForm::RecordClass linkData{.name = "podio::LinkData", .version = noVersion};

} // namespace

std::vector<detail::Loss> PodioClasses::losses(const Schema& schema,
                                               std::uint32_t collection) const {
  std::vector<detail::Loss> losses;
  for (auto& [table, reason] : m_types.obstacles(schema, collection))
    losses.push_back({table, std::move(reason)});
  return losses;
}

CollectionDescription PodioClasses::describe(const Table& collection) const {
  const PodioType type = m_types.typeOf(collection);
  CollectionDescription description{.id = podioCollectionId(collection.name),
                                    .name = std::string(collection.name)};
  description.schemaVersion = type.schemaVersion;
  description.isSubset = type.isSubset;
  std::string element;
  switch (type.kind) {
  case PodioType::Kind::userData:
    element = type.name;
    description.type = std::string(userDataPrefix).append(type.name).append(">");
    break;
  case PodioType::Kind::link:
    element = linkData.name;
    description.type = std::string(linkPrefix).append(type.name).append(">");
    break;
  case PodioType::Kind::datatype:
    element = type.name + "Data";
    description.type = type.name + std::string(collectionSuffix);
    break;
  }
  description.storage = std::string("std::vector<").append(element).append(">");
  return description;
}

void PodioClasses::addTo(FieldForm& form, const Table& collection) const {
  const std::string name(collection.name);
  if (m_types.typeOf(collection).kind == PodioType::Kind::userData)
    return;
  if (collection.type.starts_with(detail::subsetPrefix)) {
    form.classes.emplace(name + std::string(subsetSuffix), objectId);
    return;
  }
  const auto [type, version] = m_types.datatype(collection.type);
  if (!type) {
    form.classes.emplace(name, linkData);
    for (const std::string_view end : {"from", "to"})
      form.classes.emplace(sideName(name, end), objectId);
    return;
  }
  form.classes.emplace(name,
                       FieldForm::RecordClass{.name = type->name + "Data", .version = version});
  addMembers(form, name, type->members);
  for (const Model::Member& vector : type->vectorMembers)
    addRecord(form, sideName(name, vector.name), vector.type, 0);
  for (const Model::Relation& relation : type->relations)
    form.classes.emplace(sideName(name, relation.name), objectId);
}

void PodioClasses::addMembers(FieldForm& form, const std::string& path,
                              const std::vector<Model::Member>& members) const {
  for (const Model::Member& member : members)
    addRecord(form, std::string(path).append(".").append(member.name), member.type,
              member.shape.empty() ? 0 : member.shape[0]);
}

/// Adds the class of a component; does nothing for other types.
void PodioClasses::addRecord(FieldForm& form, const std::string& path, std::string_view component,
                             std::uint32_t arraySize) const {
  const auto [type, version] = m_types.component(component);
  if (!type)
    return;
  form.classes.emplace(
      path, FieldForm::RecordClass{.name = type->name, .version = version, .arraySize = arraySize});
  addMembers(form, path, type->members);
}

} // namespace kaon::root::podio
