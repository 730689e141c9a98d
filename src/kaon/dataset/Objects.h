#pragma once

#include <kaon/detail/dataset/Formula.h>
#include <kaon/detail/dataset/Node.h>

#include <string_view>

namespace kaon {

/// How columns of lists become columns of the objects in them, which are the entries then: the
/// function takes such a column, and the formula's only argument, which says how many objects there
/// are. Throws Error(name) if nothing is called so, Error(type) for what is not in lists.
[[nodiscard]] detail::Formula objectsOf(const detail::Node& node, std::string_view collection);

} // namespace kaon
