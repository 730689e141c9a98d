#include <kaon/dataset/Node.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/batch/ColumnPlace.h>
#include <kaon/dataset/Dataset.h>

#include <algorithm>

namespace kaon {

const Node& beginningOf(const Node& node) noexcept {
  const Node* step = &node;
  while (step->above)
    step = step->above.get();
  return *step;
}

const Node* definitionOf(const Node& node, std::string_view name) noexcept {
  const Node* step = &node;
  while (step->above && (step->kind == NodeKind::filter || step->name != name))
    step = step->above.get();
  return step->above ? step : nullptr;
}

NamedColumn columnNamed(const Node& node, std::string_view name) {
  if (const Node* const step = definitionOf(node, name)) {
    if (step->kind == NodeKind::alias)
      return columnNamed(*step->above, step->of);
    if (step->kind == NodeKind::record)
      fail(ErrorKind::type, "'", name, "' are objects; their members are columns: '", name,
           ".pt', for one");
    return {{step, std::string(name)}, step->formula.type};
  }
  const Dataset& dataset = *beginningOf(node).dataset;
  try {
    return {{nullptr, std::string(name)}, columnPlace(dataset.schema(), name).type};
  } catch (const Error& error) {
    // The columns that were defined are more likely meant than those of the file.
    const std::string meant = suggestion(name, definedColumns(node));
    if (error.kind() != ErrorKind::name || meant.empty())
      fail(error.kind(), dataset.name(), ": ", error.what());
    fail(ErrorKind::name, dataset.name(), ": no column is called '", name, "'", meant);
  }
}

std::optional<NamedColumn> findColumn(const Node& node, std::string_view name) {
  try {
    return columnNamed(node, name);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::name)
      throw;
    return std::nullopt;
  }
}

std::vector<std::string> definedColumns(const Node& node) {
  std::vector<std::string> names;
  for (const Node* step = &node; step->above; step = step->above.get())
    if (step->kind != NodeKind::filter && step->kind != NodeKind::vary)
      names.push_back(step->name);
  std::ranges::reverse(names);
  return names;
}

std::set<std::string> variationsOf(const Node& node) {
  std::set<std::string> names;
  for (const Node* step = &node; step->above; step = step->above.get())
    if (step->kind == NodeKind::vary)
      names.insert(step->of);
  return names;
}

} // namespace kaon
