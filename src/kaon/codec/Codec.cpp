#include <kaon/codec/Codec.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <array>
#include <string>

namespace kaon {
namespace {
constexpr std::array<std::string_view, 5> codecNames{"none", "lz4", "zstd", "zlib", "lzma"};

std::string allNames() {
  std::string names;
  for (const std::string_view name : codecNames)
    names.append(names.empty() ? "" : ", ").append(name);
  return names;
}
} // namespace

std::string_view codecName(Codec codec) noexcept {
  const auto number = static_cast<std::size_t>(codec);
  return number < codecNames.size() ? codecNames[number] : "?";
}

Codec codecNamed(std::string_view name) {
  const auto place = std::ranges::find(codecNames, name);
  if (place == codecNames.end())
    fail(ErrorKind::name, "no codec is called '", name, "'",
         suggestion(name, {codecNames.begin(), codecNames.end()}), "; there are ", allNames());
  return static_cast<Codec>(place - codecNames.begin());
}

} // namespace kaon
