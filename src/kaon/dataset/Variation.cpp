#include <kaon/dataset/Variation.h>

#include <algorithm>

namespace kaon {
namespace {

bool isVaried(const Formula& formula, std::string_view variation) {
  return std::ranges::any_of(formula.arguments, [&](const Argument& argument) {
    return isVaried(argument.column, variation);
  });
}

} // namespace

bool isVaried(const ColumnId& id, std::string_view variation) {
  if (!id.node || variation.empty())
    return false;
  if (id.node->kind == NodeKind::explode || id.node->kind == NodeKind::implode)
    return isVaried(id.node, variation) ||
           isVaried(columnNamed(*id.node->above, id.name).id, variation);
  if (id.node->kind != NodeKind::vary)
    return isVaried(id.node->formula, variation);
  return id.node->of == variation || isVaried(columnNamed(*id.node->above, id.name).id, variation);
}

bool isVaried(const Node* node, std::string_view variation) {
  if (variation.empty())
    return false;
  for (; node; node = node->above.get())
    if (isChoice(*node) && isVaried(node->formula, variation))
      return true;
  return false;
}

} // namespace kaon
