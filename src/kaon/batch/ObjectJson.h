#pragma once

#include <kaon/batch/ObjectStore.h>
#include <kaon/model/Json.h>

#include <string_view>

namespace kaon::detail {

/// Returns an object in the form of docs/format.md: its parts with their members, and the value
/// that they make.
[[nodiscard]] Json toJson(const ObjectTree& object);
/// Returns a text as JSON. One that is not UTF-8 is an entry `bytes` in base64.
[[nodiscard]] Json jsonOfText(std::string_view text);
/// Reads that form. Throws Error(corrupt), beginning with `where`.
[[nodiscard]] ObjectTree objectFrom(const Json& json, std::string_view where);

} // namespace kaon::detail
