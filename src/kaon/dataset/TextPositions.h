#pragma once

#include <kaon/detail/dataset/Formula.h>

#include <string>
#include <vector>

namespace kaon {

/// Returns the position of each text of a column in `texts`, as a number, or the size of `texts`
/// for other texts. An axis of texts counts these numbers.
[[nodiscard]] detail::Formula textPositions(detail::ColumnArgument column,
                                            std::vector<std::string> texts);

} // namespace kaon
