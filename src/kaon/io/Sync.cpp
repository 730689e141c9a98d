#include <kaon/io/Sync.h>

#include <kaon/base/OptionValue.h>

#include <array>

namespace kaon {

Sync syncNamed(std::string_view name) {
  static constexpr std::array<std::string_view, 4> names{"never", "finish", "cluster", "flush"};
  return detail::optionValue<Sync>("sync", names, name);
}

} // namespace kaon
