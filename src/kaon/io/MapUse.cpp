#include <kaon/io/MapUse.h>

#include <kaon/base/OptionValue.h>

#include <array>

namespace kaon {

MapUse mapUseNamed(std::string_view name) {
  static constexpr std::array<std::string_view, 3> names{"auto", "always", "never"};
  return detail::optionValue<MapUse>("map", names, name);
}

} // namespace kaon
