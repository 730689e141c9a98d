#pragma once

#include <kaon/formats/sio/podio/StoredStructs.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::sio::podio {

inline constexpr std::uint32_t referenceBytes = 8; ///< of i32 index, u32 id of the collection

/// How the tables of a collection lie in its block: the structs of the objects, and then, one
/// table after another, the rows of what lies beside them.
struct CollectionForm {
  /// A member in structs.
  struct Place {
    std::uint32_t column = 0; ///< of the schema
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
  };
  struct Side {
    std::uint32_t table = 0;
    std::uint32_t rowBytes = 0;
    std::vector<Place> members; ///< in the table's order; none: they are references
    bool isOne = false;         ///< there is one for each object
    std::uint32_t begin = 0;    ///< where in the objects' structs it says which of them they have
  };
  std::string name;
  std::uint32_t table = 0;
  std::uint32_t rowBytes = 0; ///< 0: it is a subset, of references alone
  std::vector<Place> members; ///< in the table's order
  std::vector<Side> sides;
};

/// Of objects whose tables are in the schema, all their columns by themselves. Throws
/// Error(version) where the struct does not have the members of the tables.
[[nodiscard]] CollectionForm formOfObjects(const Schema& schema, std::uint32_t collection,
                                           const StoredObject& object);
/// The form of a collection of bare numbers.
[[nodiscard]] CollectionForm formOfNumbers(const Schema& schema, std::uint32_t collection);
[[nodiscard]] CollectionForm formOfSubset(const Schema& schema, std::uint32_t collection);

} // namespace kaon::sio::podio
