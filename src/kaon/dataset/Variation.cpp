#include <kaon/dataset/Variation.h>

#include <algorithm>

namespace kaon {
namespace {

bool isVaried(const detail::Formula& formula, std::string_view variation) {
  return std::ranges::any_of(formula.arguments, [&](const detail::ColumnArgument& argument) {
    return kaon::isVaried(argument.column, variation);
  });
}

} // namespace

bool isVaried(const detail::ColumnId& id, std::string_view variation) {
  if (!id.node || variation.empty())
    return false;
  if (id.node->kind == detail::NodeKind::explode || id.node->kind == detail::NodeKind::implode)
    return isVaried(id.node, variation) ||
           isVaried(detail::columnNamed(*id.node->above, id.name).id, variation);
  if (id.node->kind != detail::NodeKind::vary)
    return isVaried(id.node->formula, variation);
  return id.node->of == variation ||
         isVaried(detail::columnNamed(*id.node->above, id.name).id, variation);
}

bool isVaried(const detail::DataframeNode* node, std::string_view variation) {
  if (variation.empty())
    return false;
  for (; node; node = node->above.get())
    if (detail::isChoice(*node) && isVaried(node->formula, variation))
      return true;
  return false;
}

} // namespace kaon
