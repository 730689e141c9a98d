#pragma once

#include <string>
#include <string_view>

namespace kaon {

/// Somebody else's text as part of a message: its further lines are indented, as those of messages
/// are. See escapeControls().
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
