#include <kaon/model/ModelRenames.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

namespace kaon {
namespace {

/// Returns the migrations that renamed members of a type, or the type itself, the newest first.
std::vector<const Model::Migration*> stepsOf(const Model& model, std::string_view type,
                                             bool ofMembers) {
  std::vector<const Model::Migration*> steps;
  for (const Model::Migration& step : model.migrations)
    if (step.type == type && step.after.empty() != ofMembers)
      steps.push_back(&step);
  std::ranges::stable_sort(steps, std::ranges::greater{}, [](const Model::Migration* step) {
    return std::tuple(step->toVersion, step->fromVersion);
  });
  return steps;
}

/// Cuts the first word off a path.
std::string_view takeWord(std::string_view& path) {
  const std::string_view word = path.substr(0, path.find('.'));
  path.remove_prefix(std::min(word.size() + 1, path.size()));
  return word;
}

} // namespace

ModelRenames::ModelRenames(const Model& model) {
  m_models.push_back(&model);
  for (const Model& other : model.upstream)
    m_models.push_back(&other);
  for (const Model* const each : m_models) {
    for (const Model::Component& component : each->components)
      addType(*each, component.name, {&component.members}, {});
    for (const Model::Datatype& datatype : each->datatypes)
      addType(*each, datatype.name, {&datatype.members, &datatype.vectorMembers},
              datatype.relations);
    for (const Model::Link& link : each->links)
      addType(*each, link.name, {}, m_links.emplace_back(link.datatype()).relations);
  }
}

void ModelRenames::addType(const Model& model, std::string_view name,
                           const std::vector<const std::vector<Model::Member>*>& members,
                           const std::vector<Model::Relation>& relations) {
  Type type{&model, {}, {}};
  for (const auto* const list : members)
    for (const Model::Member& member : *list)
      type.items.emplace(member.name, member.type);
  for (const Model::Relation& relation : relations)
    type.items.emplace(relation.name, relation.type);
  std::size_t number = 0;
  for (const Model::Migration* const step : stepsOf(model, name, true))
    type.steps[step->after].emplace_back(number++, step);
  m_types.emplace(name, std::move(type));
}

std::vector<std::string> ModelRenames::oldNames(std::string_view type) const {
  std::vector<std::string> names;
  for (const Model* const model : m_models)
    for (const Model::Migration* const step : stepsOf(*model, type, false))
      names.push_back(step->before);
  return names;
}

/// Returns the combinations of model versions that files may have, the newest first. If there are
/// more than 100, returns only those where one model is not the newest.
std::vector<ModelRenames::Versions> ModelRenames::combinations() const {
  constexpr std::size_t most = 100;
  Versions newest;
  std::vector<std::vector<std::uint32_t>> versions;
  std::size_t number = 1;
  for (const Model* const model : m_models) {
    std::set<std::uint32_t, std::greater<>> known{model->schemaVersion};
    for (const Model::Migration& step : model->migrations)
      known.insert(step.fromVersion);
    newest[model] = *known.begin();
    versions.emplace_back(known.begin(), known.end());
    number = std::min(most + 1, number * known.size());
  }
  std::vector<Versions> all{newest};
  for (std::size_t i = 0; i < m_models.size(); ++i) {
    const std::size_t before = number > most ? 1 : all.size();
    std::vector<Versions> with;
    for (std::size_t k = 0; k < before; ++k)
      for (const std::uint32_t version : versions[i]) {
        with.push_back(all[k]);
        with.back()[m_models[i]] = version;
      }
    if (number > most)
      all.insert(all.end(), with.begin(), with.end());
    else
      all = std::move(with);
  }
  return all;
}

std::vector<std::pair<std::string, std::string>>
ModelRenames::oldPaths(std::string_view datatype, std::span<const std::string> paths) const {
  if (std::ranges::all_of(m_models, [](const Model* model) { return model->migrations.empty(); }))
    return {};
  constexpr std::size_t mostTried = 1'000'000;
  std::vector<std::pair<std::string, std::string>> renamed;
  const std::vector<Versions> versions = combinations();
  std::size_t tried = 0;
  for (const std::string& path : paths) {
    if (!isRenamed(datatype, path))
      continue;
    if ((tried += versions.size()) > mostTried)
      fail(ErrorKind::corrupt, "too many members were renamed in too many versions");
    std::set<std::string> known{path};
    for (const Versions& each : versions)
      if (std::string before = pathAt(each, datatype, path); known.insert(before).second)
        renamed.emplace_back(path, std::move(before));
  }
  return renamed;
}

/// Whether any part of a path had another name in some version.
bool ModelRenames::isRenamed(std::string_view type, std::string_view path) const {
  while (!path.empty()) {
    const std::string_view word = takeWord(path);
    const auto inside = m_types.find(type);
    if (inside == m_types.end())
      continue; // an element of an array, or a part of an optional member
    if (inside->second.steps.contains(word))
      return true;
    if (const auto item = inside->second.items.find(word); item != inside->second.items.end())
      type = item->second;
  }
  return false;
}

/// Returns a path in these versions.
std::string ModelRenames::pathAt(const Versions& versions, std::string_view type,
                                 std::string_view path) const {
  std::string before;
  while (!path.empty()) {
    const std::string_view word = takeWord(path);
    before += before.empty() ? "" : ".";
    const auto inside = m_types.find(type);
    if (inside == m_types.end() || !inside->second.items.contains(word)) {
      before += word; // an element of an array, or a part of an optional member
      continue;
    }
    before += nameAt(inside->second, word, versions.at(inside->second.model));
    type = inside->second.items.at(word);
  }
  return before;
}

/// Returns the name of a type's member in an earlier version of its model.
std::string_view ModelRenames::nameAt(const Type& type, std::string_view member,
                                      std::uint32_t version) {
  std::size_t next = 0;
  for (auto steps = type.steps.find(member); steps != type.steps.end();
       steps = type.steps.find(member)) {
    const auto step = std::ranges::find_if(steps->second, [&](const auto& each) {
      return each.first >= next && each.second->fromVersion >= version;
    });
    if (step == steps->second.end())
      break;
    next = step->first + 1;
    member = step->second->before;
  }
  return member;
}

} // namespace kaon
