#include <kaon/model/ModelDatatypes.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/model/Builtin.h>
#include <kaon/model/ModelRenames.h>
#include <kaon/model/ModelStructs.h>

#include <algorithm>
#include <deque>
#include <utility>

namespace kaon {

/// A datatype, and all data that it points to.
struct ModelDatatypes::Entry {
  Datatype datatype;
  Model::Datatype definition;
  std::deque<std::string> texts; // keep their addresses
  std::vector<std::byte> defaults;
  std::vector<Leaf> leaves;
  std::deque<std::vector<Leaf>> elementLeaves;
  std::deque<std::vector<std::byte>> elementDefaults;
  std::vector<VectorMember> vectors;
  std::vector<Relation> relations;
  std::deque<std::vector<detail::DatatypeFunction>> targets;
  std::vector<detail::MemberPrecision> precision;
  std::vector<detail::Rename> renames;
  std::vector<std::string_view> oldNames;

  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

/// Fills a ModelDatatypes.
class ModelDatatypes::Maker {
public:
  Maker(ModelDatatypes& of, const Known& known) : m_of(of), m_known(known) {}

  void make() {
    for (const Document& document : m_of.m_documents)
      readModel(document);
    // A model's own document takes precedence over the copies in documents that use the model.
    for (const bool isUpstream : {false, true})
      for (std::size_t i = 0; i < m_of.m_models.size(); ++i)
        for (const Model* const model : m_of.m_models[i]->whole())
          if ((model != m_of.m_models[i].get()) == isUpstream)
            addTypes(*model);
    for (const bool isUpstream : {false, true})
      for (std::size_t i = 0; i < m_of.m_models.size(); ++i)
        for (const Model* const model : m_of.m_models[i]->whole())
          if ((model != m_of.m_models[i].get()) == isUpstream)
            addDatatypes(*model, i);
    for (const auto& entry : m_of.m_entries)
      addRelations(*entry);
  }

private:
  void readModel(const Document& document) {
    try {
      auto model = std::make_unique<Model>(Model::fromJson(document.json, document.where));
      m_of.m_infos.push_back(std::make_unique<detail::ModelInfo>(
          detail::ModelInfo{model->name, model->schemaVersion, document.json}));
      m_wheres.push_back(document.where);
      m_of.m_models.push_back(std::move(model));
    } catch (const Error& error) {
      if (m_of.m_documentMistake.empty())
        m_of.m_documentMistake = error.what();
    }
  }

  void addTypes(const Model& model) {
    m_structs.add(model);
    for (const Model::Interface& interface : model.interfaces)
      m_interfaces.try_emplace(interface.name, &interface);
  }

  void addDatatypes(const Model& model, std::size_t number) {
    const ModelRenames renames(*m_of.m_models[number]);
    for (const Model::Datatype& datatype : model.datatypes)
      addDatatype(datatype, model, number, renames);
    for (const Model::Link& link : model.links)
      addDatatype(link.datatype(), model, number, renames);
  }

  void addDatatype(const Model::Datatype& definition, const Model& model, std::size_t number,
                   const ModelRenames& renames) {
    if (m_of.m_byName.contains(definition.name))
      return;
    if (const Datatype* const known = m_known ? m_known(definition.name) : nullptr) {
      m_of.m_byName.emplace(definition.name, known);
      return;
    }
    auto entry = std::make_unique<Entry>();
    entry->definition = definition;
    try {
      describe(*entry, model);
      entry->datatype.model = m_of.m_infos[number].get();
      addRenames(*entry, renames);
    } catch (const Error& error) {
      m_of.m_mistakes.try_emplace(definition.name, m_wheres[number] + ": the datatype '" +
                                                       definition.name + "': " + error.what());
      return;
    }
    m_of.m_byName.emplace(definition.name, &entry->datatype);
    m_of.m_entries.push_back(std::move(entry));
  }

  void describe(Entry& entry, const Model& model) {
    const Model::Datatype& definition = entry.definition;
    std::vector<Model::Member> plain;
    for (const Model::Member& member : definition.members)
      if (member.type == stringType && member.depth == 0)
        addVector(entry, member, VectorMember::string, 1, 1, {&detail::characterLeaf, 1});
      else
        plain.push_back(member);
    StructLayout layout = m_structs.structOf(plain);
    entry.defaults = std::move(layout.defaults);
    if (!layout.unknownDefaults.empty())
      m_of.m_unknownDefaults.emplace(definition.name, layout.unknownDefaults.front());
    entry.leaves = leavesOf(entry, layout.leaves, "");
    for (const Model::Member& member : definition.vectorMembers)
      addVectorMember(entry, member);
    entry.datatype = {.name = definition.name,
                      .description = definition.description,
                      .rowSize = static_cast<std::uint32_t>(entry.defaults.size()),
                      .alignment = layout.alignment,
                      .defaults = entry.defaults,
                      .leaves = entry.leaves,
                      .vectors = entry.vectors,
                      .relations = {}};
    for (const Model::Storage& storage : model.storage)
      if (storage.datatype == definition.name)
        addStorage(entry, storage);
  }

  static std::vector<Leaf> leavesOf(Entry& entry, std::vector<StructLayout::Leaf>& from,
                                    const std::string& unit) {
    std::vector<Leaf> leaves;
    for (StructLayout::Leaf& leaf : from)
      leaves.push_back({entry.keep(std::move(leaf.name)), leaf.type, leaf.extent, leaf.offset,
                        entry.keep(leaf.unit.empty() ? unit : std::move(leaf.unit)),
                        entry.keep(std::move(leaf.description)),
                        entry.keep(std::move(leaf.structure))});
    return leaves;
  }

  void addVectorMember(Entry& entry, const Model::Member& member) {
    if (!member.shape.empty() || member.isOptional)
      fail(ErrorKind::corrupt, "the vector member '", member.name, "' is of arrays or optional");
    if (member.type == stringType)
      return addVector(entry, member, VectorMember::string, 0, 1, {});
    StructLayout element = m_structs.typeOf(member.type);
    const bool isScalar = !m_structs.component(member.type);
    const Builtin* const builtin = findBuiltin(member.type);
    const std::string_view type = builtin    ? builtin->cpp
                                  : isScalar ? cppName(element.leaves[0].type)
                                             : std::string_view(member.type);
    addVector(entry, member, type, element.size(), element.alignment,
              entry.elementLeaves.emplace_back(leavesOf(entry, element.leaves, member.unit)));
    if (!isScalar && element.unknownDefaults.empty())
      entry.vectors.back().element =
          entry.elementDefaults.emplace_back(std::move(element.defaults)).data();
  }

  /// Returns the type that tables have for the integers of an enum.
  static std::string_view cppName(Scalar type) {
    return findBuiltin(std::string(nameOf(type)) + "_t")->cpp;
  }

  static void addVector(Entry& entry, const Model::Member& member, std::string_view type,
                        std::uint32_t size, std::uint32_t alignment, std::span<const Leaf> leaves) {
    entry.vectors.push_back({entry.keep(member.name), entry.keep(std::string(type)), size,
                             alignment, leaves, entry.keep(member.unit),
                             entry.keep(member.description), member.depth});
  }

  static void addStorage(Entry& entry, const Model::Storage& storage) {
    for (const Model::MemberPrecision& precision : storage.precision)
      entry.precision.push_back({entry.keep(precision.name), precision.precision});
    entry.datatype.storage = {storage.layout, entry.keep(storage.group), entry.precision};
  }

  static void addRenames(Entry& entry, const ModelRenames& renames) {
    std::vector<std::string> paths;
    for (const Leaf& leaf : entry.leaves)
      paths.emplace_back(leaf.name);
    for (const VectorMember& vector : entry.vectors) {
      paths.emplace_back(vector.name);
      for (const Leaf& leaf : vector.leaves)
        if (!leaf.name.empty())
          paths.push_back(std::string(vector.name) + "." + std::string(leaf.name));
    }
    for (const Model::Relation& relation : entry.definition.relations)
      paths.push_back(relation.name);
    for (auto& [path, before] : renames.oldPaths(entry.definition.name, paths))
      entry.renames.push_back({entry.keep(std::move(path)), entry.keep(std::move(before))});
    for (std::string& name : renames.oldNames(entry.definition.name))
      entry.oldNames.push_back(entry.keep(std::move(name)));
    entry.datatype.renames = entry.renames;
    entry.datatype.oldNames = entry.oldNames;
  }

  void addRelations(Entry& entry) {
    for (const Model::Relation& relation : entry.definition.relations) {
      auto& targets = entry.targets.emplace_back();
      const auto interface = m_interfaces.find(relation.type);
      const auto types =
          interface == m_interfaces.end() ? std::vector{relation.type} : interface->second->types;
      for (const std::string& type : types)
        if (const Datatype* const target = findTarget(type))
          targets.emplace_back(target);
      entry.relations.push_back(
          {relation.name, relation.many, relation.type, targets, relation.description});
    }
    entry.datatype.relations = entry.relations;
  }

  [[nodiscard]] const Datatype* findTarget(std::string_view type) const {
    const Datatype* const datatype = m_of.find(type);
    return datatype || !m_known ? datatype : m_known(type); // of a model without a document
  }

  ModelDatatypes& m_of;
  const Known& m_known;
  ModelStructs m_structs;
  std::vector<std::string> m_wheres; // by the number of the model
  std::map<std::string_view, const Model::Interface*> m_interfaces;
};

ModelDatatypes::ModelDatatypes(std::vector<Document> documents, const Known& known)
    : m_documents(std::move(documents)) {
  Maker(*this, known).make();
}

ModelDatatypes::~ModelDatatypes() = default;

const Datatype* ModelDatatypes::find(std::string_view name) const noexcept {
  if (const auto known = m_byName.find(name); known != m_byName.end())
    return known->second;
  const auto old = std::ranges::find_if(
      m_byName, [&](const auto& entry) { return entry.second->isCalled(name); });
  return old == m_byName.end() ? nullptr : old->second;
}

const Datatype& ModelDatatypes::get(std::string_view name) const {
  const auto known = m_byName.find(name);
  if (known == m_byName.end()) {
    if (const std::string wrong = mistake(name); !wrong.empty())
      throw Error(ErrorKind::corrupt, wrong);
    fail(ErrorKind::name, "no model has a datatype '", name, "'", suggestion(name, names()));
  }
  if (const auto member = m_unknownDefaults.find(name); member != m_unknownDefaults.end())
    fail(ErrorKind::usage, "the default of '", member->second, "' of ", name,
         " is for C++ compilers only: objects are made by generated classes");
  return *known->second;
}

std::string ModelDatatypes::mistake(std::string_view name) const {
  const auto mistake = m_mistakes.find(name);
  return mistake == m_mistakes.end() ? m_documentMistake : mistake->second;
}

std::vector<std::string> ModelDatatypes::names() const {
  std::vector<std::string> all;
  for (const auto& [name, datatype] : m_byName)
    all.push_back(name);
  return all;
}

} // namespace kaon
