#include <kaon/formats/sio/podio/StoredStructs.h>

#include <kaon/base/Error.h>
#include <kaon/model/Builtin.h>

#include <algorithm>
#include <utility>

namespace kaon::sio::podio {
namespace {

/// Adds the members with the start and end of an object's rows in a list.
void addSlice(std::vector<Model::Member>& members, const std::string& list) {
  for (const char* const end : {"_begin", "_end"}) {
    Model::Member member;
    member.name = list + end;
    member.type = "unsigned int";
    members.push_back(std::move(member));
  }
}

} // namespace

StoredStructs::StoredStructs(std::vector<Model> models) {
  for (Model& model : models)
    m_models.push_back(std::move(model));
  for (const Model& model : m_models)
    for (const Model* const each : model.whole())
      m_structs.add(*each);
}

ObjectStruct StoredStructs::objectOf(std::string_view name) {
  const Model::Datatype* datatype = nullptr;
  for (const Model& model : m_models)
    if (const auto place = std::ranges::find(model.datatypes, name, &Model::Datatype::name);
        !datatype && place != model.datatypes.end())
      datatype = &*place;
  if (!datatype)
    fail(ErrorKind::version, "no model in the file has a datatype '", name, "'");
  ObjectStruct object;
  std::vector<Model::Member> members = datatype->members;
  for (const Model::Member& list : datatype->vectorMembers) {
    if (list.type == stringType || list.depth > 0)
      fail(ErrorKind::version, "podio cannot store its '", list.name, "'");
    addSlice(members, list.name);
    object.lists.push_back({list.name, m_structs.typeOf(list.type)});
  }
  for (const Model::Relation& relation : datatype->relations)
    if (relation.many) {
      addSlice(members, relation.name);
      object.references.push_back(relation.name);
    }
  for (const Model::Relation& relation : datatype->relations)
    if (!relation.many)
      object.references.push_back(relation.name);
  if (std::ranges::find(members, stringType, &Model::Member::type) != members.end())
    fail(ErrorKind::version, "it has a string, which podio cannot store");
  object.layout = m_structs.structOf(members);
  return object;
}

ObjectStruct storedLink() {
  ObjectStruct link;
  StructLayout::Leaf weight;
  weight.name = "weight";
  weight.type = Scalar::Float32;
  link.layout.leaves.push_back(std::move(weight));
  link.layout.defaults.resize(sizeOf(Scalar::Float32));
  link.references = {"from", "to"};
  return link;
}

} // namespace kaon::sio::podio
