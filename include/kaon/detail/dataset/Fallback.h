#pragma once

#include <kaon/dataset/Result.h>
#include <kaon/detail/dataset/DataframeNode.h>

#include <string_view>

namespace kaon::detail {

/// Returns a column of the files with one number per entry, which is `value` in files that lack the
/// column. It has the type that the column has in the first file, else the type of `value`. Throws
/// Error(type) if the column has lists or texts, or if its type cannot hold `value`. Throws
/// Error(usage) for a column that the dataframe defines.
[[nodiscard]] Formula columnOr(const DataframeNode& node, std::string_view column,
                               const Number& value);

} // namespace kaon::detail
