#pragma once

#include <array>
#include <cstddef>

// The description of components, the structs in members, that generated code gives to the library.

namespace kaon::detail {

/// The bytes of one scalar, or of one array of scalars, in its struct.
struct LeafSpan {
  std::size_t offset;
  std::size_t size;
};

/// The scalars of a component, in order; generated code specialises it.
template <class Component>
struct ComponentLeaves;

/// The scalars of an array of components: of its elements, one after another.
template <class Component, std::size_t extent>
  requires requires { ComponentLeaves<Component>::value.size(); }
struct ComponentLeaves<std::array<Component, extent>> {
  static constexpr auto value = [] {
    constexpr auto& element = ComponentLeaves<Component>::value;
    std::array<LeafSpan, element.size() * extent> leaves{};
    for (std::size_t i = 0; i < leaves.size(); ++i)
      leaves[i] = {i / element.size() * sizeof(Component) + element[i % element.size()].offset,
                   element[i % element.size()].size};
    return leaves;
  }();
};

/// A component, or an array of components.
template <class T>
concept IsComponent = requires { ComponentLeaves<T>::value.size(); };

} // namespace kaon::detail
