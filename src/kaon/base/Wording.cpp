#include <kaon/base/Wording.h>

#include <cstddef>

namespace kaon {
namespace {

/// How many bytes the control character at a place has; 0: there is none. In UTF-8 those above
/// ASCII have two.
std::size_t controlAt(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(at) < 0x20 || byte(at) == 0x7f)
    return text[at] == '\n' ? 0 : 1;
  const bool isPair = byte(at) == 0xc2 && at + 1 < text.size();
  return isPair && byte(at + 1) >= 0x80 && byte(at + 1) < 0xa0 ? 2 : 0;
}

} // namespace

std::string escapeControls(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string escaped;
  escaped.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t bytes = controlAt(text, at);
    if (bytes == 0) {
      escaped += text[at];
      continue;
    }
    at += bytes - 1;
    const auto character = static_cast<unsigned char>(text[at]);
    escaped += "\\x";
    escaped += digits[character >> 4U];
    escaped += digits[character & 0xfU];
  }
  return escaped;
}

} // namespace kaon
