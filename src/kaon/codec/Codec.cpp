#include <kaon/codec/Codec.h>

#include <kaon/base/OptionValue.h>

#include <array>
#include <cstddef>

namespace kaon {
namespace {
constexpr std::array<std::string_view, 5> codecNames{"none", "lz4", "zstd", "zlib", "lzma"};
} // namespace

std::string_view codecName(Codec codec) noexcept {
  const auto number = static_cast<std::size_t>(codec);
  return number < codecNames.size() ? codecNames[number] : "?";
}

Codec codecNamed(std::string_view name) {
  return detail::optionValue<Codec>("codec", codecNames, name);
}

} // namespace kaon
