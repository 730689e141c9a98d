#include <kaon/codec/Favour.h>

#include <kaon/base/OptionValue.h>

#include <array>

namespace kaon {

Favour favourNamed(std::string_view name) {
  static constexpr std::array<std::string_view, 3> names{"balance", "size", "speed"};
  return detail::optionValue<Favour>("favour", names, name);
}

} // namespace kaon
