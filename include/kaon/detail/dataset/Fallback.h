#pragma once

#include <kaon/dataset/Number.h>
#include <kaon/detail/dataset/Node.h>

#include <string_view>

namespace kaon::detail {

/// A column of the dataset's files, one number an entry, that is `value` where a file lacks it: of
/// the type that the first file has it with, or else of the number's. Throws Error(type) where that
/// is no single number, or the number is none of that type; Error(usage) for what was defined.
[[nodiscard]] Formula columnOr(const Node& node, std::string_view column, const Number& value);

} // namespace kaon::detail
