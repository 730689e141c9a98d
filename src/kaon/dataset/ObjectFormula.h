#pragma once

#include <kaon/detail/dataset/DataframeNode.h>
#include <kaon/detail/dataset/Formula.h>

#include <string_view>

namespace kaon {

/// Returns the formula that turns columns of lists into columns of the objects in the lists, which
/// become entries. Its function takes a column of lists, and the formula's only argument, which
/// tells the number of objects. Throws Error(name) for an unknown name, Error(type) for a column
/// without lists.
[[nodiscard]] detail::Formula objectsOf(const detail::DataframeNode& node,
                                        std::string_view collection);

} // namespace kaon
