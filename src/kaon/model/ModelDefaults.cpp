#include <kaon/model/ModelDefaults.h>

#include <kaon/base/Joined.h>
#include <kaon/model/Builtin.h>

#include <algorithm>

namespace kaon {

ModelDefaults::ModelDefaults(const detail::ModelInfo& model)
    : m_model(std::make_unique<const Model>(
          Model::fromJson(model.json, joined("the model '", model.name, "'")))) {
  const auto models = m_model->whole();
  for (auto each = models.rbegin(); each != models.rend(); ++each) { // its own types go first
    m_structs.add(**each);
    for (const Model::Datatype& datatype : (*each)->datatypes)
      m_datatypes.try_emplace(datatype.name, datatype);
    for (const Model::Link& link : (*each)->links)
      m_datatypes.try_emplace(link.datatype().name, link.datatype());
  }
}

/// The defaults of leaves in the order of ModelStructs, without the values of the whole struct.
ModelDefaults::Leaves ModelDefaults::leavesOf(const std::vector<Model::Member>& members) {
  Leaves leaves;
  for (const Model::Member& member : members) {
    const bool isStated = member.isOptional || !member.defaultValue.empty();
    const Model::Component* const component = m_structs.component(member.type);
    if (!component) {
      leaves.push_back({{isStated}});
    } else {
      const Leaves inside = defaultsOf(component->members).ofLeaves;
      for (std::uint64_t element = 0; element < member.extent(); ++element)
        for (const auto& leaf : inside) {
          auto& outer = leaves.emplace_back(leaf);
          outer.insert(outer.begin(), {isStated || leaf.front().isStated});
        }
    }
    if (member.isOptional)
      leaves.push_back({{true}});
  }
  return leaves;
}

StructDefaults ModelDefaults::defaultsOf(const std::vector<Model::Member>& members) {
  const StructLayout layout = m_structs.structOf(members);
  StructDefaults defaults{leavesOf(members), layout.unknownDefaults};
  for (std::size_t i = 0; i < layout.leaves.size(); ++i) {
    const StructLayout::Leaf& leaf = layout.leaves[i];
    const auto value = std::span(layout.defaults)
                           .subspan(leaf.offset, std::size_t{leaf.extent} * sizeOf(leaf.type));
    defaults.ofLeaves[i].front().value.assign(value.begin(), value.end());
  }
  return defaults;
}

const StructDefaults& ModelDefaults::ofMembers(const Datatype& type) {
  const auto [known, isNew] = m_defaults.try_emplace(std::string(type.name));
  const auto datatype = m_datatypes.find(type.name);
  if (!isNew || datatype == m_datatypes.end())
    return known->second;
  std::vector<Model::Member> members;
  for (const Model::Member& member : datatype->second.members)
    if (member.type != stringType || member.depth > 0) // strings are vector members
      members.push_back(member);
  return known->second = defaultsOf(members);
}

const StructDefaults& ModelDefaults::ofElements(const Datatype& type, std::string_view vector) {
  const auto [known, isNew] = m_defaults.try_emplace(joined(type.name, ".", vector));
  const auto datatype = m_datatypes.find(type.name);
  if (!isNew || datatype == m_datatypes.end())
    return known->second;
  const auto& vectors = datatype->second.vectorMembers;
  const auto member = std::ranges::find(vectors, vector, &Model::Member::name);
  if (member == vectors.end())
    return known->second;
  if (const Model::Component* const component = m_structs.component(member->type))
    known->second = defaultsOf(component->members);
  return known->second;
}

} // namespace kaon
