#pragma once

#include <kaon/model/Scalar.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The structure of a member says how the parts of its name nest: "ends.1.x" is the member `x` of
// the second element of the array `ends`, or of a component `1` in a component `ends`. Names alone
// never say it.
//
// A structure has one step for each part of the name, with dots between the steps. Empty steps at
// the end are left out, so that most members have the structure "".
//
//     step      the part of the name is
//     ""        a value, or a component, whose members are the next parts
//     "[2][3]"  an array of this shape: of values, or of components. The next part is then the
//               number of an element, counted row by row; its own step is ""
//     "[~6]"    an array of 6 elements, of unknown shape
//     "?"       an optional. The next part is `value`, with its own step, or `has_value`, the bool
//               that tells where there is a value
//
// A member of more than one value whose last step is "" is an array of unknown shape.

namespace kaon {

inline constexpr std::string_view optionalStep = "?";
inline constexpr std::string_view optionalValue = "value";
inline constexpr std::string_view optionalPresence = "has_value";

/// "[2][3]"; "" for no size.
[[nodiscard]] std::string shapeText(std::span<const std::uint32_t> shape);

/// The sizes in a step, the outermost first. One of unknown shape, or of more values than one
/// without a shape, has one size.
[[nodiscard]] std::vector<std::uint32_t> shapeOf(std::string_view step, std::uint32_t size);

/// How many elements an array of this shape has; 0 where the step is not a shape.
[[nodiscard]] std::uint64_t elementsIn(std::string_view step) noexcept;

/// Whether members of as many values have the same shape, as far as it is known. An array of one
/// value and a single value do not.
[[nodiscard]] bool haveSameShape(std::string_view a, std::string_view b) noexcept;

/// Whether two structures of the same name and number of values are the same, as far as the shapes
/// of arrays are known.
[[nodiscard]] bool structuresAgree(std::string_view a, std::string_view b) noexcept;

/// The step of the last part of a name; "" where it is left out.
[[nodiscard]] std::string_view lastStep(std::string_view name, std::string_view structure) noexcept;

/// The path of a member without the parts `value` of optionals, as its model declares it: "at.x"
/// for "at.value.x". The path of a presence keeps its `has_value`.
[[nodiscard]] std::string pathInModel(std::string_view path, std::string_view structure);

/// Joins the steps of a path with those of a path below it.
[[nodiscard]] std::string joinSteps(std::string_view outer, std::string_view inner);

/// What is wrong with the structure of a member with this path; "" for nothing.
[[nodiscard]] std::string_view structureMistake(std::string_view path, std::string_view structure,
                                                Scalar type, std::uint32_t extent) noexcept;

/// A member as structures are taken from names.
struct NamedMember {
  std::string_view name;
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1;
};

/// The structures of a table's members in files that do not state them. There, `x.value` and
/// `x.has_value` are an optional, and `x.0`, `x.1` and so on are an array.
[[nodiscard]] std::vector<std::string> structuresFromNames(std::span<const NamedMember> members);

} // namespace kaon
