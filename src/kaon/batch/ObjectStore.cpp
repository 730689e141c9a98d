#include <kaon/batch/ObjectStore.h>

#include <algorithm>
#include <ranges>

namespace kaon {

const ObjectValue* DescribedObject::find(std::string_view name) const noexcept {
  const auto reversed = members | std::views::reverse;
  const auto found = std::ranges::find(reversed, name, &Member::name);
  return found == reversed.end() ? nullptr : &found->value;
}

} // namespace kaon
