#pragma once

#include <kaon/detail/dataset/Formula.h>

#include <string>
#include <vector>

namespace kaon {

/// The place of each text of a column among some texts, as a number, and how many these are for one
/// that is none of them: what an axis of texts counts.
[[nodiscard]] detail::Formula placesOf(detail::Argument column, std::vector<std::string> texts);

} // namespace kaon
