#include <kaon/detail/loop/Schedule.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace kaon::loop {
namespace {

using Algorithms = std::vector<std::shared_ptr<const Algorithm>>;

void checkNames(const Algorithms& algorithms) {
  std::map<std::string_view, const Algorithm*> names;
  std::map<std::string_view, const Algorithm*> producers;
  for (const auto& algorithm : algorithms) {
    if (!names.emplace(algorithm->name, algorithm.get()).second)
      fail(ErrorKind::usage, "there are two algorithms '", algorithm->name, "' in the loop");
    for (const OutputInfo& output : algorithm->outputs)
      if (const auto [place, isNew] = producers.emplace(output.name, algorithm.get()); !isNew)
        fail(ErrorKind::usage, "algorithms '", place->second->name, "' and '", algorithm->name,
             "' both make '", output.name, "'");
  }
}

/// Returns for each algorithm the algorithms that make its inputs.
std::vector<std::vector<std::size_t>> suppliersOf(const Algorithms& algorithms) {
  std::map<std::string_view, std::size_t> producers;
  for (std::size_t i = 0; i < algorithms.size(); ++i)
    for (const OutputInfo& output : algorithms[i]->outputs)
      producers.emplace(output.name, i);
  std::vector<std::vector<std::size_t>> suppliers(algorithms.size());
  for (std::size_t i = 0; i < algorithms.size(); ++i)
    for (const InputInfo& input : algorithms[i]->inputs)
      if (const auto producer = producers.find(input.name); producer != producers.end())
        suppliers[i].push_back(producer->second);
  return suppliers;
}

/// Follows the suppliers from an algorithm that can never run until one of them repeats.
[[noreturn]] void failCircle(const Algorithms& algorithms,
                             const std::vector<std::vector<std::size_t>>& suppliers,
                             const std::vector<bool>& isDone) {
  std::vector<std::size_t> way;
  auto next = static_cast<std::size_t>(std::ranges::find(isDone, false) - isDone.begin());
  while (std::ranges::find(way, next) == way.end()) {
    way.push_back(next);
    next = *std::ranges::find_if(suppliers[next], [&](std::size_t i) { return !isDone[i]; });
  }
  if (way.back() == next)
    fail(ErrorKind::usage, "algorithm '", algorithms[next]->name,
         "' takes its own output: the input or the output needs another name");
  std::string names = algorithms[next]->name;
  for (auto each = std::ranges::find(way, next) + 1; each != way.end(); ++each)
    names += " <- " + algorithms[*each]->name;
  fail(ErrorKind::usage, "algorithms wait for each other in a circle: ", names, " <- ",
       algorithms[next]->name);
}

/// Repeatedly takes the first algorithm whose suppliers are all done.
Algorithms sorted(const Algorithms& algorithms) {
  const auto suppliers = suppliersOf(algorithms);
  std::vector<bool> isDone(algorithms.size());
  Algorithms order;
  while (order.size() < algorithms.size()) {
    std::size_t next = 0;
    const auto isReady = [&](std::size_t i) {
      return !isDone[i] && std::ranges::all_of(suppliers[i], [&](std::size_t supplier) {
        return isDone[supplier];
      });
    };
    while (next < algorithms.size() && !isReady(next))
      ++next;
    if (next == algorithms.size())
      failCircle(algorithms, suppliers, isDone);
    isDone[next] = true;
    order.push_back(algorithms[next]);
  }
  return order;
}

bool isWhatIsMade(const InputInfo& input, const OutputInfo& output) {
  if (input.kind == InputKind::collection)
    return output.collection && output.collection->objects == input.collection->objects;
  return !output.collection && input.kind != InputKind::list && output.parameter == input.parameter;
}

} // namespace

Schedule::Schedule(Algorithms algorithms) {
  checkNames(algorithms);
  for (const auto& algorithm : sorted(algorithms))
    m_steps.push_back({algorithm, {}});
  number();
  for (Input& input : m_inputs)
    connect(input);
}

void Schedule::number() {
  for (std::size_t i = 0; i < m_steps.size(); ++i) {
    m_steps[i].place = {m_inputs.size(), m_outputs.size()};
    for (const InputInfo& input : m_steps[i].algorithm->inputs)
      m_inputs.push_back({&input, i, none});
    for (const OutputInfo& output : m_steps[i].algorithm->outputs)
      m_outputs.push_back({&output, i});
  }
}

void Schedule::connect(Input& input) const {
  for (std::size_t i = 0; i < m_outputs.size(); ++i) {
    const Output& output = m_outputs[i];
    if (output.info->name != input.info->name)
      continue;
    if (!isWhatIsMade(*input.info, *output.info))
      fail(ErrorKind::type, nameOf(input.algorithm), " takes '", input.info->name, "' as ",
           withArticle(typeOf(*input.info)), ", but ", nameOf(output.algorithm), " makes ",
           withArticle(typeOf(*output.info)));
    input.output = i;
  }
}

std::vector<std::string> Schedule::outputNames() const {
  std::vector<std::string> names;
  for (const Output& output : m_outputs)
    names.push_back(output.info->name);
  return names;
}

} // namespace kaon::loop
