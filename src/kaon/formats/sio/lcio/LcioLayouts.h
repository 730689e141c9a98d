#pragma once

#include <kaon/formats/sio/SioRecord.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// How LCIO (https://github.com/iLCSoft/LCIO, 2.23) stores the objects of its types.

namespace kaon::sio::lcio {

enum class LcioFieldKind : std::uint8_t {
  tag,       ///< The number that pointers use for the object.
  values,    ///< A fixed number of numbers: a member, or all members of a component.
  list,      ///< A count and numbers: a vector member.
  texts,     ///< A count and texts: a vector member of strings.
  pointer,   ///< A relation to one object; in rows, to many.
  pointers,  ///< A count and pointers: a relation to many.
  rows,      ///< A count and fields: a vector member of components, or several lists.
  objects,   ///< A count and fields: a relation to inner objects.
  algorithm, ///< The number of a text in the collection's parameters.
  counts     ///< Lengths of the next lists, unless the head of the block has them.
};

/// The bit of a particle's simulator status for particles with an endpoint.
inline constexpr std::uint32_t endpointStatus = 1U << 31;

/// Whether a field is stored, by a bit of the collection's flag or by the particle's status.
struct Condition {
  enum class Kind : std::uint8_t { always, ifSet, unlessSet, ifEndpoint };
  Kind kind = Kind::always;
  std::uint8_t bit = 0;

  [[nodiscard]] constexpr bool holds(std::uint32_t flag, std::uint32_t status) const noexcept {
    const bool isSet = (flag >> bit & 1) != 0;
    switch (kind) {
    case Kind::always:
      return true;
    case Kind::ifSet:
      return isSet;
    case Kind::unlessSet:
      return !isSet;
    case Kind::ifEndpoint:
      break;
    }
    return (status & endpointStatus) != 0;
  }
};

struct LcioField {
  LcioFieldKind kind = LcioFieldKind::tag;
  std::string_view name = {};  ///< of the member or relation in the model
  Scalar type = Scalar::Int32; ///< in the file; a bool has four bytes
  std::uint32_t count = 1;
  Condition when = {};
  std::uint32_t since = 0; ///< stored in versions above this one
  float missing = 0;       ///< value where the field is not stored
  std::span<const LcioField> fields = {};
  std::uint32_t countedSince = 0; ///< Versions up to this one store `count` items.
  std::uint32_t wordsBefore = 0;  ///< Words that versions up to `since` store instead.
};

/// A type of collections.
struct LcioLayout {
  std::string_view type; ///< "MCParticle"; in the model "lcio::MCParticle"
  std::span<const LcioField> fields;
  std::uint32_t since = 0; ///< Read in versions above this one.
  /// Bits of the flag that have the opposite meaning in versions up to 1.2.
  std::uint32_t invertedBits = 0;
  /// Returns why kaon does not read versions up to `since`.
  [[nodiscard]] std::string reasonForOld() const;
  /// Returns a flag as the current version means it.
  [[nodiscard]] std::uint32_t currentFlag(std::uint32_t flag, std::uint32_t version) const noexcept;
  [[nodiscard]] bool isGeneric() const noexcept { return type == "LCGenericObject"; }
};

/// The key of the parameter with the names of vertices' algorithms, to which vertices refer by
/// numbers. The size of a name is limited for reading and writing, because each vertex gets a copy.
inline constexpr std::string_view algorithmsKey = "_lcio.VertexAlgorithmTypes";
inline constexpr std::size_t mostAlgorithmBytes = 4096;

// Bits of collections' flags.
inline constexpr std::uint32_t subsetFlag = 1U << 18, fixedSizeFlag = 1U << 31;
/// The bit of a particle's simulator status for particles whose vertex is not the endpoint of the
/// parent.
inline constexpr std::uint32_t ownVertexStatus = 1U << 28;

/// Returns null for a type that LCIO does not have.
[[nodiscard]] const LcioLayout* findLayout(std::string_view type) noexcept;

} // namespace kaon::sio::lcio
