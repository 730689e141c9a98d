#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/detail/model/Component.h>
#include <kaon/detail/object/CollectionData.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace kaon::detail {

/// Used by loadComponent() if the leaves are neither arrays nor together, or not yet decoded.
template <class T>
[[nodiscard, gnu::noinline, gnu::cold]] T loadApart(const CollectionData& data, std::uint32_t leaf,
                                                    std::size_t row) {
  T value;
  for (const LeafSpan& part : ComponentLeaves<T>::value)
    std::memcpy(detail::bytesAt(&value) + part.offset, data.at(leaf++, row), part.size);
  return value;
}

/// Returns a component assembled from its leaves, wherever the layout has them.
template <class T>
[[nodiscard, gnu::always_inline]] inline T loadComponent(const CollectionData& data,
                                                         std::uint32_t leaf, std::size_t row) {
  constexpr const auto& parts = ComponentLeaves<T>::value;
  T value;
  auto* const out = detail::bytesAt(&value);
  const auto load = [&]<std::size_t... i>(std::index_sequence<i...>)
      __attribute__((always_inline)) {
    const std::byte* const array = data.array(leaf);
    if (!array) {
      const std::byte* const first = data.elsewhere(leaf, row);
      if (!data.areTogether(leaf, parts.size())) [[unlikely]]
        return false;
      (std::memcpy(out + parts[i].offset, first + parts[i].offset, parts[i].size), ...);
      return true;
    }
    const std::array<const std::byte*, parts.size()> arrays{
        (i == 0 ? array : data.array(leaf + static_cast<std::uint32_t>(i)))...};
    if (!(arrays[i] && ...)) [[unlikely]]
      return false;
    (std::memcpy(out + parts[i].offset, arrays[i] + row * parts[i].size, parts[i].size), ...);
    return true;
  };
  return load(std::make_index_sequence<parts.size()>()) ? value
                                                        : detail::loadApart<T>(data, leaf, row);
}

/// Returns the handle of an object; for the library.
template <class T>
[[nodiscard]] T objectAt(ObjectLocator place) {
  T handle(place.data, place.row);
  if (place && place.data->isLoose()) [[unlikely]]
    handle.keepLoose();
  return handle;
}

} // namespace kaon::detail
