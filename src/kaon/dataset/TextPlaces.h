#pragma once

#include <kaon/dataset/Formula.h>

#include <string>
#include <vector>

namespace kaon {

/// The place of each text of a column among some texts, as a number, and how many these are for one
/// that is none of them: what an axis of texts counts.
[[nodiscard]] Formula placesOf(Argument column, std::vector<std::string> texts);

} // namespace kaon
