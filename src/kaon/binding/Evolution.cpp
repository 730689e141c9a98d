#include <kaon/binding/Evolution.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <ranges>
#include <shared_mutex>
#include <unordered_map>

namespace kaon {
namespace {

struct Computations {
  std::shared_mutex mutex;
  std::unordered_map<const Leaf*, std::vector<std::unique_ptr<const detail::Computation>>> byLeaf;
};

Computations& computations() {
  static Computations only;
  return only;
}

} // namespace

void detail::addComputation(const Datatype& type, std::string_view member, Scalar result,
                            detail::Computation computation) {
  const auto leaf = std::ranges::find(type.leaves, member, &Leaf::name);
  if (leaf == type.leaves.end()) {
    std::vector<std::string> known;
    for (const Leaf& other : type.leaves)
      known.emplace_back(other.name);
    fail(ErrorKind::name, "onRead: ", type.name, " has no member '", member, "'",
         suggestion(member, known));
  }
  if (leaf->type != result || leaf->extent != 1)
    fail(ErrorKind::type, "onRead: '", member, "' of ", type.name, " holds ", leaf->extent, " ",
         nameOf(leaf->type), ", but the function returns 1 ", nameOf(result));
  if (computation.from.size() != computation.types.size() || computation.from.empty())
    fail(ErrorKind::usage, "onRead: '", member, "' of ", type.name, " is computed from ",
         counted(computation.from.size(), "member"), ", but the function takes ",
         counted(computation.types.size(), "argument"), "; it takes at least one");
  const std::unique_lock lock(computations().mutex);
  computations().byLeaf[&*leaf].push_back(
      std::make_unique<const detail::Computation>(std::move(computation)));
}

std::vector<const detail::Computation*> detail::computationsOf(const Leaf& leaf) {
  const std::shared_lock lock(computations().mutex);
  const auto entry = computations().byLeaf.find(&leaf);
  std::vector<const detail::Computation*> all;
  if (entry != computations().byLeaf.end())
    for (const auto& computation : entry->second | std::views::reverse)
      all.push_back(computation.get());
  return all;
}

} // namespace kaon
