#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/detail/model/Component.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/Scalar.h>

#include <array>
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string_view>

namespace kaon::detail {

/// The leaves of a generated struct: of a component, or of the plain members of a datatype.
/// Generated code specialises it with an array `value` of Leaf.
template <class Struct>
struct StructLeaves;

/// Structs that are generated from a model.
template <class Struct>
concept HasLeaves = requires { StructLeaves<Struct>::value.size(); };

/// A list of a datatype, and the members of its struct for the list's range.
struct ListRange {
  std::string_view list;
  std::size_t begin; ///< offset in the struct of a std::uint32_t
  std::size_t end;   ///< as `begin`
};
/// The ranges in a generated struct. Generated code with list ranges specialises it.
template <class Struct>
struct ListRanges {
  static constexpr std::array<ListRange, 0> value{};
};

/// Prints the scalar or array of a leaf, or of several leaves of the struct at `begin`. Numbers are
/// separated by spaces.
void printLeaf(std::ostream& out, const Leaf& leaf, const std::byte* value);
void printLeaves(std::ostream& out, std::span<const Leaf> leaves, const std::byte* begin);
/// Prints the scalars of a struct.
template <HasLeaves Struct>
std::ostream& printStruct(std::ostream& out, const Struct& value) {
  printLeaves(out, StructLeaves<Struct>::value, detail::bytesAt(&value));
  return out;
}

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

} // namespace kaon::detail
