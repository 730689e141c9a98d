#pragma once

#include <kaon/formats/podio/PodioTypes.h>
#include <kaon/formats/sio/podio/StoredStructs.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::sio::podio {

inline constexpr std::uint32_t referenceBytes = 8; ///< of i32 index, u32 ID of the collection

/// The layout of a collection's tables in its block. The structs of the objects come first. The
/// rows of the other tables follow, table by table.
struct CollectionForm {
  /// A member in structs.
  struct Place {
    ColumnNumber column = 0; ///< of the schema
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
  };
  struct Side {
    TableNumber table = 0;
    std::uint32_t rowBytes = 0;
    std::vector<Place> members; ///< in the table's order; empty for references
    bool isOne = false;         ///< whether each object has one row
    std::uint32_t begin = 0;    ///< position in the objects' structs of the range of rows
  };
  std::string name;
  TableNumber table = 0;
  std::uint32_t rowBytes = 0; ///< 0 for a subset, which has references only
  std::vector<Place> members; ///< in the table's order
  std::vector<Side> sides;
};

/// Returns the form of a collection. Its tables in the schema must store columns separately. Throws
/// Error(version) if the struct of its objects lacks members of the tables, or podio cannot store
/// it. Throws Error(corrupt) for faulty models.
[[nodiscard]] CollectionForm formOf(const Schema& schema, TableNumber collection,
                                    const PodioType& type, StoredStructs& structs);

} // namespace kaon::sio::podio
