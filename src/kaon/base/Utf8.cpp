#include <kaon/base/Utf8.h>

#include <cstddef>
#include <cstdint>

namespace kaon {
namespace {

/// Returns the length of the character that begins with this byte, which is not ASCII; 0 if no
/// character does.
std::size_t lengthOf(unsigned char first) noexcept {
  if (first < 0xc2 || first > 0xf4)
    return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

} // namespace

bool isUtf8(std::string_view text) noexcept {
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lengthOf(first);
    if (length == 0 || length > text.size() - i)
      return false;
    std::uint32_t character = first & (0x7fU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0U) != 0x80U)
        return false;
      character = character << 6U | (next & 0x3fU);
    }
    if (character < least[length] || character > 0x10ffff ||
        (character >= 0xd800 && character < 0xe000))
      return false;
    i += length;
  }
  return true;
}

} // namespace kaon
