#include <kaon/codec/EncodingGoal.h>

#include <kaon/base/OptionValue.h>

#include <array>

namespace kaon {

EncodingGoal goalNamed(std::string_view name) {
  static constexpr std::array<std::string_view, 3> names{"balance", "size", "speed"};
  return detail::optionValue<EncodingGoal>("goal", names, name);
}

} // namespace kaon
