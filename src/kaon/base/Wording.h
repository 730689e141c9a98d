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

/// A message with its control characters written as "\x1b", and what changes the direction of texts
/// as "\u202e": terminals obey them. Line ends stay where the next line begins with two spaces, as
/// those of messages do: others are those of names.
[[nodiscard]] std::string escapeControls(std::string_view text);

} // namespace kaon
