#include <kaon/model/TuplePlace.h>

#include <charconv>
#include <system_error>

namespace kaon {

std::optional<std::uint32_t> placeInTuple(std::string_view name) noexcept {
  if (name == "first" || name == "second")
    return name == "first" ? 0 : 1;
  std::uint32_t place = 0;
  const char* const end = name.data() + name.size();
  const bool isNumber =
      name.size() > 1 && name[0] == '_' &&
      std::from_chars(name.data() + 1, end, place) == std::from_chars_result{end, std::errc{}};
  return isNumber ? std::optional(place) : std::nullopt;
}

} // namespace kaon
