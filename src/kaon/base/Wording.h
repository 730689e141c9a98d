#pragma once

#include <concepts>
#include <string>
#include <string_view>

// English for messages whose words depend on the data.

namespace kaon {

/// "1 value", "2 values"; `many` for those whose plural has no mere s.
[[nodiscard]] std::string counted(std::integral auto number, std::string_view one,
                                  std::string_view many = {}) {
  const std::string text = std::to_string(number) + ' ';
  if (number == 1)
    return text + std::string(one);
  return many.empty() ? text + std::string(one) + 's' : text + std::string(many);
}

/// "an int32", "a uint32", "a list of float32".
[[nodiscard]] inline std::string withArticle(std::string_view noun) {
  const bool isVowel =
      !noun.empty() && std::string_view("aeioAEIO").find(noun.front()) != std::string_view::npos;
  return (isVowel ? "an " : "a ") + std::string(noun);
}

/// A text with its control characters, but for line ends, written as "\x1b": terminals obey them.
[[nodiscard]] std::string escapeControls(std::string_view text);

} // namespace kaon
