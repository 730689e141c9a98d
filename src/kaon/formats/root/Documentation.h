#pragma once

#include <string>
#include <string_view>

namespace kaon::root {

// A description and a unit. ROOT has one text for both: "deposited [GeV]" ends with kaon's unit.

struct Documentation {
  std::string description, unit;
};

[[nodiscard]] std::string textOf(std::string_view description, std::string_view unit);

/// Splits ROOT's text into description and unit. Text in brackets that is not a unit belongs to the
/// description. Returns empty texts if `text` is not UTF-8.
[[nodiscard]] Documentation documentationIn(std::string_view text);

} // namespace kaon::root
