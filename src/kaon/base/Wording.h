#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

// English for messages whose words depend on the data.

namespace kaon {

/// Returns a whole number with commas: "1,000".
[[nodiscard]] std::string grouped(std::integral auto number) {
  std::string text = std::to_string(number);
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;)
    text.insert(at -= 3, 1, ',');
  return text;
}

/// Returns "1 value", "2,000 values"; `many` is the plural of nouns that do not just add an s.
[[nodiscard]] std::string counted(std::integral auto number, std::string_view one,
                                  std::string_view many = {}) {
  const std::string text = grouped(number) + ' ';
  if (number == 1)
    return text + std::string(one);
  return many.empty() ? text + std::string(one) + 's' : text + std::string(many);
}

/// Returns "an int32", "a uint32", "a list of float32".
[[nodiscard]] inline std::string withArticle(std::string_view noun) {
  const bool isVowel =
      !noun.empty() && std::string_view("aeioAEIO").find(noun.front()) != std::string_view::npos;
  return (isVowel ? "an " : "a ") + std::string(noun);
}

/// Returns a message with control characters written as "\n" or "\x1b", and characters that change
/// the direction of text as "\u202e", because terminals obey them. Keeps line ends whose next line
/// begins with two spaces: these are the message's own, others belong to names.
[[nodiscard]] std::string escapeControls(std::string_view text);

} // namespace kaon
