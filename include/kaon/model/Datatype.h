#pragma once

#include <kaon/codec/Precision.h>
#include <kaon/model/Scalar.h>
#include <kaon/model/Table.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The description of a model for the library. It comes from generated code, or from ModelDatatypes
// at run time. Everything here is immutable. The views point to texts and arrays that live as long
// as the program.

namespace kaon {

/// One scalar of a member, or one array of scalars. A component contributes a leaf for each of its
/// members.
struct Leaf {
  std::string_view name; ///< "PDG", "vertex.x"; "" if the rows are bare values
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1; ///< number of values; more than one for a std::array
  std::uint32_t offset = 0; ///< in bytes from the beginning of the struct
  std::string_view unit;
  std::string_view description;
  std::string_view structure = {}; ///< how the parts of its name nest: see docs/format.md
};

/// A member with any number of scalars, components or strings, or of lists of these. A single
/// string is a vector member of characters.
struct VectorMember {
  static constexpr std::string_view string = "string"; ///< the type of one string and of several

  std::string_view name;
  std::string_view type;
  std::uint32_t rowSize = 0; ///< bytes of an element; 0 for strings, whose size varies
  std::uint32_t alignment = 1;
  /// The leaves of an element: one for a string's characters, none for several strings.
  std::span<const Leaf> leaves;
  std::string_view unit;
  std::string_view description;
  /// The levels of lists inside the member's own list.
  std::uint32_t depth = 0;
  /// For components: one element with default values; null means zeros.
  const void* element = nullptr;

  [[nodiscard]] constexpr bool isString() const noexcept { return type == string && rowSize > 0; }
  [[nodiscard]] constexpr bool holdsStrings() const noexcept {
    return type == string && rowSize == 0;
  }
  /// Returns the levels of lists below the member's own. A string is a list of characters.
  [[nodiscard]] constexpr std::uint32_t innerLists() const noexcept {
    return depth + (holdsStrings() ? 1 : 0);
  }
};

namespace detail {

/// A component with the default values of its members.
template <class Component>
inline const Component defaultElement{};

/// The prefix of the types of subset tables: "kaon::Subset<T>".
inline constexpr std::string_view subsetPrefix = "kaon::Subset<";

/// The only leaf of a string: its characters.
inline constexpr Leaf characterLeaf{"", Scalar::UInt8, 1, 0, "", ""};

} // namespace detail

struct Datatype;
namespace detail {

/// A function that returns the description of a datatype. Generated code has one for each datatype,
/// because datatypes refer to each other in circles.
class DatatypeFunction {
public:
  constexpr DatatypeFunction(const Datatype& (*function)()) : m_function(function) {}
  /// Wraps the description of a datatype that was made at run time.
  constexpr explicit DatatypeFunction(const Datatype* type) : m_type(type) {}
  const Datatype& operator()() const { return m_type ? *m_type : m_function(); }

private:
  const Datatype& (*m_function)() = nullptr;
  const Datatype* m_type = nullptr;
};

} // namespace detail

/// A reference to one object or to many objects of a datatype, or of any datatype of an interface.
struct Relation {
  std::string_view name;
  bool many = false;
  std::string_view target; ///< the name of the datatype or interface
  /// The possible types of the objects; several for an interface.
  std::span<const detail::DatatypeFunction> datatypes;
  std::string_view description;
};

namespace detail {

/// The model that defines a datatype.
struct ModelInfo {
  std::string_view name;
  std::uint32_t schemaVersion = 0;
  std::string_view json; ///< the whole model
};

/// The precision of a member's floats.
struct MemberPrecision {
  std::string_view name; ///< "energy"; "momentum" stands for all members below it
  Precision precision;
};

/// How a model stores a datatype's objects in files.
struct DatatypeStorage {
  std::optional<Layout> layout;
  std::string_view group;
  std::span<const MemberPrecision> precision;
};

/// The name that a member, vector member or relation had in an earlier version of the model.
struct Rename {
  std::string_view name;   ///< its present path: "momentum.x"; in a vector member: "states.quality"
  std::string_view before; ///< its path in the earlier version
};

} // namespace detail

struct Datatype {
  std::string_view name; ///< with its namespace: "edm4hep::MCParticle"
  std::string_view description;
  std::uint32_t rowSize = 0; ///< sizeof of the struct; 0 without members
  std::uint32_t alignment = 1;
  std::span<const std::byte> defaults; ///< a struct with the members' default values
  std::span<const Leaf> leaves;
  std::span<const VectorMember> vectors;
  std::span<const Relation> relations; ///< relations to one object first
  const detail::ModelInfo* model = nullptr;
  detail::DatatypeStorage storage = {};
  std::span<const detail::Rename> renames = {};    ///< newest first, for each member
  std::span<const std::string_view> oldNames = {}; ///< the datatype's names in earlier versions

  /// Returns whether files of any version use this name for the datatype.
  [[nodiscard]] bool isCalled(std::string_view type) const noexcept {
    return type == name || std::ranges::find(oldNames, type) != oldNames.end();
  }
};

namespace detail {

/// The datatypes of a handle's object: one, or all datatypes of an interface.
template <class T>
inline constexpr std::array<DatatypeFunction, 1> datatypesOf{T::datatype};

} // namespace detail

/// A list of types, such as all datatypes of a model. Its values have no members.
template <class... Types>
struct TypeList {};

/// How a collection is stored in a file: by a model for a datatype, or by a writer's options for
/// one or all collections. Fields without a value change nothing.
struct Storage {
  std::optional<Layout> layout = {};
  /// Collections of the same group are stored together, entry by entry, unless their layout is
  /// split.
  std::optional<std::string> group = {};
  /// The precision of float members, by name: "energy". "momentum" stands for "momentum.x" and so
  /// on. Elements of a vector member have names like "hits.time", or "weights" if they are bare
  /// values.
  std::map<std::string, Precision, std::less<>> precision = {};
};

} // namespace kaon
