#pragma once

#include <kaon/model/Component.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/Scalar.h>

#include <array>
#include <cstddef>

namespace kaon {

/// The leaves of a struct that is generated from a model: of a component, or of the plain members
/// of a datatype. Generated code specialises it, with an array of Leaf called `value`.
template <class Struct>
struct StructLeaves;

/// A struct that is generated from a model.
template <class Struct>
concept HasLeaves = requires { StructLeaves<Struct>::value.size(); };

template <HasLeaves Struct>
struct ComponentLeaves<Struct> {
  static constexpr auto value = [] {
    constexpr auto& leaves = StructLeaves<Struct>::value;
    std::array<LeafSpan, leaves.size()> spans{};
    for (std::size_t i = 0; i < leaves.size(); ++i)
      spans[i] = {leaves[i].offset, std::size_t{leaves[i].extent} * sizeOf(leaves[i].type)};
    return spans;
  }();
};

} // namespace kaon
