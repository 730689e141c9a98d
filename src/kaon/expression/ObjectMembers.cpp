#include <kaon/expression/ObjectMembers.h>

#include <kaon/expression/Binder.h>

#include <utility>

namespace kaon::expression {

std::optional<ObjectMembers> objectMembers(std::string_view text, const Scope& scope) {
  Graph graph;
  auto objects = Binder(graph, scope).objectsOf(text);
  if (!objects)
    return std::nullopt;
  return ObjectMembers{std::move(objects->first), objects->second};
}

} // namespace kaon::expression
