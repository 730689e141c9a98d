#pragma once

#include <string>
#include <string_view>

namespace kaon::root {

// ROOT has one text for what a field or branch is: kaon's unit stands at its end, "deposited
// [GeV]".

struct Documentation {
  std::string description, unit;
};

[[nodiscard]] std::string textOf(std::string_view description, std::string_view unit);

/// What ends in brackets around anything but a unit is description to its end; what is not UTF-8 is
/// none.
[[nodiscard]] Documentation documentationIn(std::string_view text);

} // namespace kaon::root
