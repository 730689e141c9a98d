#include <kaon/formats/root/objects/Dimensions.h>

#include <kaon/model/Structure.h>

#include <algorithm>
#include <cstddef>

namespace kaon::root {

std::string dimensionsOf(std::span<const std::uint32_t> sizes, std::uint64_t values) {
  std::string dimensions = sizes.size() > 1 ? shapeText(sizes) : std::string();
  const std::uint64_t elements = elementsIn(dimensions);
  return elements > 0 && elements == values ? dimensions : std::string();
}

std::string structureOf(std::string_view path, std::string_view dimensions) {
  if (dimensions.empty())
    return {};
  const auto dots = static_cast<std::size_t>(std::ranges::count(path, '.'));
  return std::string(dots, '.').append(dimensions);
}

} // namespace kaon::root
