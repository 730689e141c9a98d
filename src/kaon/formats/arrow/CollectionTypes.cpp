#include <kaon/formats/arrow/CollectionTypes.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kaon::arrow {

/// A datatype that all models have, with the memory that it refers to.
struct CollectionTypes::Standard {
  std::string name, from, to;
  std::vector<Leaf> leaves;
  std::vector<Relation> relations;
  std::vector<std::byte> row;
  StructDefaults defaults;
  Datatype type = {};

  void describe(std::string_view description) {
    type = {.name = name,
            .description = description,
            .rowSize = static_cast<std::uint32_t>(row.size()),
            .defaults = row,
            .leaves = leaves,
            .vectors = {},
            .relations = relations};
  }
};

const Datatype* CollectionTypes::find(std::string_view name) {
  if (const Datatype* const type = m_model ? m_model->find(name) : nullptr;
      type && type->name == name)
    return type;
  if (const auto known = m_standard.find(name); known != m_standard.end())
    return &known->second->type;
  auto standard = std::make_shared<Standard>();
  standard->name = name;
  constexpr std::string_view linkPrefix = "kaon::Link<";
  std::string_view inside = name;
  const bool isEnclosed = name.ends_with('>');
  if (isEnclosed && name.starts_with(detail::subsetPrefix)) {
    inside.remove_prefix(detail::subsetPrefix.size());
    inside.remove_suffix(1);
    standard->to = inside;
    standard->relations.push_back({"object", false, standard->to, {}, "of another collection"});
    standard->describe("Objects of other collections");
  } else if (isEnclosed && name.starts_with(linkPrefix) && std::ranges::count(name, ',') == 1) {
    inside.remove_prefix(linkPrefix.size());
    inside.remove_suffix(1);
    standard->from = inside.substr(0, inside.find(','));
    standard->to = inside.substr(inside.find(',') + 1);
    const auto one = std::bit_cast<std::array<std::byte, sizeof(float)>>(1.0F);
    standard->row.assign(one.begin(), one.end());
    standard->defaults.ofLeaves = {{{true, standard->row}}};
    standard->leaves.push_back({"weight", Scalar::Float32, 1, 0, "", "of the link"});
    standard->relations.push_back({"from", false, standard->from, {}, "where it begins"});
    standard->relations.push_back({"to", false, standard->to, {}, "where it ends"});
    standard->describe("A link between two objects, with a weight");
  } else {
    for (std::size_t i = 0; i < detail::scalarKinds; ++i)
      if (const auto type = static_cast<Scalar>(i); nameOf(type) == name) {
        standard->row.resize(sizeOf(type));
        standard->leaves.push_back({"", type, 1, 0, "", ""});
        standard->describe("");
      }
  }
  if (standard->type.name.empty())
    return nullptr;
  return &m_standard.emplace(name, std::move(standard)).first->second->type;
}

std::vector<const Datatype*> CollectionTypes::ofModel() const {
  std::vector<const Datatype*> types;
  if (m_model)
    for (const std::string& name : m_model->names())
      types.push_back(m_model->find(name));
  return types;
}

void CollectionTypes::check(std::string_view name) const {
  if (const std::string mistake = m_model ? m_model->mistake(name) : ""; !mistake.empty())
    throw Error(ErrorKind::usage, mistake);
}

const Datatype& CollectionTypes::get(std::string_view name, std::string_view collection) {
  const Datatype* const type = find(name);
  check(name);
  if (!type)
    fail(ErrorKind::usage, "'", collection, "' is a collection of ", name,
         ", which the model does not have");
  return *type;
}

ModelDefaults* CollectionTypes::defaultsOf(const Datatype& type) {
  return type.model ? &m_defaults.try_emplace(type.model, *type.model).first->second : nullptr;
}

Declaration CollectionTypes::declarationOf(const Datatype& type) {
  Declaration declared{.type = type.name, .leaves = type.leaves, .datatype = &type};
  if (ModelDefaults* const defaults = defaultsOf(type))
    declared.defaults = &defaults->ofMembers(type);
  else if (const auto known = m_standard.find(type.name); known != m_standard.end())
    declared.defaults = &known->second->defaults;
  return declared;
}

Declaration CollectionTypes::declarationOf(const Datatype& type, const VectorMember& vector) {
  ModelDefaults* const defaults = defaultsOf(type);
  return {.type = vector.type,
          .leaves = vector.leaves,
          .defaults = defaults ? &defaults->ofElements(type, vector.name) : nullptr};
}

std::vector<std::string> memberNames(const Datatype& type) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(names, name) == names.end())
      names.emplace_back(name);
  };
  for (const Leaf& leaf : type.leaves)
    add(leaf.name.substr(0, leaf.name.find('.')));
  for (const VectorMember& vector : type.vectors)
    add(vector.name);
  for (const Relation& relation : type.relations)
    add(relation.name);
  return names;
}

bool leadsTo(const Relation& relation, std::string_view datatype) {
  if (relation.datatypes.empty())
    return relation.target == datatype;
  return std::ranges::any_of(relation.datatypes, [&](const detail::DatatypeFunction& target) {
    return target().name == datatype;
  });
}

} // namespace kaon::arrow
