#include <kaon/formats/kaonfile/RelationTargets.h>

#include <kaon/base/Damage.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/model/Model.h>

namespace kaon::kaonfile {

RelationTargets::RelationTargets(const io::ByteSource& bytes, const FileContents& contents) {
  for (const CategoryContents& category : contents.categories)
    for (const Table& table : category.schema.tables())
      if (table.kind == TableKind::collection)
        m_datatypes.emplace(table.type);
  for (const auto& [name, place] : contents.documents) {
    if (name.starts_with(modelDocument))
      unlessDamaged([&] { addModel(readDocument(bytes, contents.file.id, name, place)); });
  }
}

void RelationTargets::addModel(std::string_view json) {
  const Model whole = Model::fromJson(json, "");
  for (const Model* const model : whole.whole()) {
    for (const Model::Datatype& datatype : model->datatypes)
      m_datatypes.insert(datatype.name);
    for (const Model::Link& link : model->links)
      m_datatypes.insert(link.name);
    for (const Model::Interface& interface : model->interfaces)
      m_interfaces[interface.name].insert(interface.types.begin(), interface.types.end());
  }
}

bool RelationTargets::allow(std::string_view target, std::string_view datatype) const {
  if (target == datatype) // the most frequent case
    return true;
  if (const auto known = m_interfaces.find(target); known != m_interfaces.end())
    return known->second.contains(datatype);
  return !m_datatypes.contains(target);
}

} // namespace kaon::kaonfile
