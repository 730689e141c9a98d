#pragma once

#include <kaon/detail/dataset/DataframeNode.h>

#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// Splits a condition at some of its "and"s, into stages that test only the entries that passed the
/// stages before. A stage begins where a part is costly, calls a user's function, or is the first
/// to read more than tags. Throws the errors of expression::Expression.
[[nodiscard]] std::vector<std::string> stagesOf(std::string_view condition,
                                                const detail::DataframeNode& node);

} // namespace kaon
