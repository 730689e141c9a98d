#pragma once

#include <string>
#include <string_view>

namespace kaon {

/// Returns a text of another origin as part of a message: its further lines are indented, like
/// those of messages. See escapeControls().
[[nodiscard]] inline std::string indented(std::string_view text) {
  std::string lines;
  for (const char character : text) {
    lines += character;
    if (character == '\n')
      lines += "  ";
  }
  return lines;
}

} // namespace kaon
