#include <kaon/base/Wording.h>

#include <array>
#include <cstdio>

namespace kaon {
namespace {

using namespace std::string_view_literals;

/// Characters from the first to the last one in UTF-8, which differ only in their last byte, and
/// the number of the first.
struct Characters {
  unsigned number;
  std::string_view first, last;
};

/// Characters that terminals obey: control characters, line separators, and those that change the
/// direction of text.
constexpr std::array<Characters, 7> obeyed{{{0, "\0"sv, "\x1f"},
                                            {0x7f, "\x7f", "\x7f"},
                                            {0x80, "\u0080", "\u009f"},
                                            {0x61c, "\u061c", "\u061c"},
                                            {0x200e, "\u200e", "\u200f"},
                                            {0x2028, "\u2028", "\u202e"},
                                            {0x2066, "\u2066", "\u2069"}}};

/// Returns the entry whose character begins the text, or null. Indented line ends of messages are
/// not among them.
const Characters* obeyedAtBegin(std::string_view text) noexcept {
  if (text.starts_with("\n  "))
    return nullptr;
  for (const Characters& each : obeyed)
    if (const std::string_view begin = text.substr(0, each.first.size());
        begin.size() == each.first.size() && each.first <= begin && begin <= each.last)
      return &each;
  return nullptr;
}

} // namespace

std::string escapeControls(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const Characters* const found = obeyedAtBegin(text);
    const std::size_t bytes = found ? found->first.size() : 1;
    constexpr std::string_view named = "\t\n\r", letters = "tnr";
    if (const std::size_t letter = named.find(text.front()); found && letter < named.size()) {
      escaped.append("\\").append(letters, letter, 1);
    } else if (found) {
      const unsigned number =
          found->number + static_cast<unsigned>(text[bytes - 1] - found->first.back());
      std::array<char, sizeof("\\u202e")> code{};
      std::snprintf(code.data(), code.size(), number < 0x100 ? "\\x%02x" : "\\u%04x", number);
      escaped += code.data();
    } else {
      escaped += text.front();
    }
    text.remove_prefix(bytes);
  }
  return escaped;
}

} // namespace kaon
