#pragma once

#include <kaon/detail/dataset/Node.h>

#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// A condition, cut at its "and"s where it is worth to test what follows only for those entries
/// that pass what stands before: where it takes long, calls a user's function, or reads more than
/// tags for the first time. Throws as expression::Expression does.
[[nodiscard]] std::vector<std::string> stagesOf(std::string_view condition,
                                                const detail::Node& node);

} // namespace kaon
