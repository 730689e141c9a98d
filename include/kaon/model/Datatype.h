#pragma once

#include <kaon/codec/Precision.h>
#include <kaon/model/Scalar.h>
#include <kaon/model/Table.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// How generated code, or ModelDatatypes at run time, describes a model to the library. Everything
// here is immutable: the views point to texts and arrays that live as long as the program.

namespace kaon {

/// A member broken down to its scalars: a component contributes a leaf for each of its members.
struct Leaf {
  std::string_view name; ///< "PDG", "vertex.x"; "" where the rows are bare values
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1; ///< values; more than one in a std::array
  std::uint32_t offset = 0; ///< bytes from the beginning of the struct
  std::string_view unit;
  std::string_view description;
  std::string_view structure = {}; ///< see model/Structure.h
};

/// A member that holds any number of scalars, components or strings, or of lists of such; or that
/// is a string, which is any number of characters.
struct VectorMember {
  static constexpr std::string_view string = "string"; ///< the type of both

  std::string_view name;
  std::string_view type;
  std::uint32_t rowSize = 0; ///< bytes of an element; of strings 0: theirs vary
  std::uint32_t alignment = 1;
  std::span<const Leaf> leaves; ///< of a string: its characters' only; of strings: none
  std::string_view unit;
  std::string_view description;
  std::uint32_t depth = 0;       ///< how many lists lie in each other in the member's own
  const void* element = nullptr; ///< of components: one with the defaults; null: zeros

  [[nodiscard]] constexpr bool isString() const noexcept { return type == string && rowSize > 0; }
  [[nodiscard]] constexpr bool holdsStrings() const noexcept {
    return type == string && rowSize == 0;
  }
  /// How many levels of lists there are below the member's own: a string is a list of characters.
  [[nodiscard]] constexpr std::uint32_t innerLists() const noexcept {
    return depth + (holdsStrings() ? 1 : 0);
  }
};

namespace detail {

/// A component with the defaults of its members.
template <class Component>
inline constexpr Component defaultElement{};

/// How the types of tables begin that are subsets: "kaon::Subset<T>".
inline constexpr std::string_view subsetPrefix = "kaon::Subset<";

/// The only leaf of a string.
inline constexpr Leaf characterLeaf{"", Scalar::UInt8, 1, 0, "", ""};

} // namespace detail

struct Datatype;
namespace detail {

/// Gives the description of a datatype. Generated code has a function for each, as datatypes refer
/// to each other in circles.
class DatatypeFunction {
public:
  constexpr DatatypeFunction(const Datatype& (*function)()) : m_function(function) {}
  /// Of one that is made at run time.
  constexpr explicit DatatypeFunction(const Datatype* type) : m_type(type) {}
  const Datatype& operator()() const { return m_type ? *m_type : m_function(); }

private:
  const Datatype& (*m_function)() = nullptr;
  const Datatype* m_type = nullptr;
};

} // namespace detail

/// A reference to one object or to many objects of a datatype, or of any of an interface's.
struct Relation {
  std::string_view name;
  bool many = false;
  std::string_view target; ///< the name of the datatype or interface
  std::span<const detail::DatatypeFunction>
      datatypes; ///< the types it can lead to; several for an interface
  std::string_view description;
};

namespace detail {

/// The model that a datatype comes from.
struct ModelInfo {
  std::string_view name;
  std::uint32_t schemaVersion = 0;
  std::string_view json; ///< the whole model
};

/// What is kept of a member's floats.
struct MemberPrecision {
  std::string_view name; ///< "energy"; "momentum" stands for all below it
  Precision precision;
};

/// How a model wants a datatype's objects to lie in files.
struct DatatypeStorage {
  std::optional<Layout> layout;
  std::string_view group;
  std::span<const MemberPrecision> precision;
};

/// What a member, vector member or relation was called in an earlier version of the model.
struct Rename {
  std::string_view name;   ///< its path: "momentum.x"; in a vector member: "states.quality"
  std::string_view before; ///< its path then
};

} // namespace detail

struct Datatype {
  std::string_view name; ///< with its namespace: "edm4hep::MCParticle"
  std::string_view description;
  std::uint32_t rowSize = 0; ///< sizeof its struct; 0 without members
  std::uint32_t alignment = 1;
  std::span<const std::byte> defaults; ///< a struct with the members' defaults
  std::span<const Leaf> leaves;
  std::span<const VectorMember> vectors;
  std::span<const Relation> relations; ///< those to one object first
  const detail::ModelInfo* model = nullptr;
  detail::DatatypeStorage storage = {};
  std::span<const detail::Rename> renames = {};    ///< of one thing the newest first
  std::span<const std::string_view> oldNames = {}; ///< its own in earlier versions

  /// Whether files, of any version, call it so.
  [[nodiscard]] bool isCalled(std::string_view type) const noexcept {
    return type == name || std::ranges::find(oldNames, type) != oldNames.end();
  }
};

namespace detail {

/// The datatypes that a handle's object can have: one, or those that an interface stands for.
template <class T>
inline constexpr std::array<DatatypeFunction, 1> datatypesOf{T::datatype};

} // namespace detail

} // namespace kaon
