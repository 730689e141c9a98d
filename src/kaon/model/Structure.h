#pragma once

#include <kaon/model/Scalar.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The structure of a member tells how the parts of its name nest. "ends.1.x" may be the member `x`
// in the second element of the array `ends`. It may also be a member of the component `1` in the
// component `ends`. Names alone do not tell.
//
// A structure has one step for each part of the name, with dots between the steps. Empty steps at
// the end are left out, so most members have the structure "".
//
//     step      the part of the name is
//     ""        a value, or a component, whose members are the next parts
//     "[2][3]"  an array of this shape: of values, or of components. The next part is then the
//               number of an element, counted row by row; its own step is ""
//     "[~6]"    an array of 6 elements, of unknown shape
//     "?"       an optional. The next part is `value`, with its own step, or `has_value`, the bool
//               that tells where there is a value
//
// A member of several values whose last step is "" is an array of unknown shape.

namespace kaon {

inline constexpr std::string_view optionalStep = "?";
inline constexpr std::string_view optionalValue = "value";
inline constexpr std::string_view optionalPresence = "has_value";

/// Returns a shape as text: "[2][3]"; "" without sizes.
[[nodiscard]] std::string shapeText(std::span<const std::uint32_t> shape);

/// Returns the sizes in a step, the outermost first. For an unknown shape, `size` is the only size,
/// or there is no size if it is 1.
[[nodiscard]] std::vector<std::uint32_t> shapeOf(std::string_view step, std::uint32_t size);

/// Returns the number of elements in an array of this shape; 0 if the step is not a shape.
[[nodiscard]] std::uint64_t elementsIn(std::string_view step) noexcept;

/// Returns whether members with the same number of values have the same shape, as far as it is
/// known. An array of one value differs from a single value.
[[nodiscard]] bool haveSameShape(std::string_view a, std::string_view b) noexcept;

/// Returns whether two structures agree, as far as the shapes of arrays are known. Name and number
/// of values must be equal.
[[nodiscard]] bool structuresAgree(std::string_view a, std::string_view b) noexcept;

/// Returns the step of a name's last part; "" if the step is left out.
[[nodiscard]] std::string_view lastStep(std::string_view name, std::string_view structure) noexcept;

/// Returns the path of a member as its model declares it, without the parts `value` of optionals:
/// "at.x" for "at.value.x". The path of a presence keeps its `has_value`.
[[nodiscard]] std::string pathInModel(std::string_view path, std::string_view structure);

/// Returns the structure of a list's path in the rows above it. The list can be the value of an
/// optional, or lie in one. `structureOf` returns the structure of the member with a name in these
/// rows, "" for unknown names.
[[nodiscard]] std::string
structureOfList(std::string_view path,
                const std::function<std::string_view(std::string_view)>& structureOf);

/// Joins the steps of a path and of a path below it.
[[nodiscard]] std::string joinSteps(std::string_view outer, std::string_view inner);

/// Returns the mistake in the structure of a member with this path, or "".
[[nodiscard]] std::string_view structureMistake(std::string_view path, std::string_view structure,
                                                Scalar type, std::uint32_t extent) noexcept;

/// A member whose structure is derived from its name.
struct NamedMember {
  std::string_view name;
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1;
};

/// Returns the structures of a table's members in files that do not state them. There, `x.value`
/// and `x.has_value` form an optional, and `x.0`, `x.1` and so on form an array.
[[nodiscard]] std::vector<std::string> structuresFromNames(std::span<const NamedMember> members);

} // namespace kaon
