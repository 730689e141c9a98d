#pragma once

#include <kaon/base/Bytes.h>
#include <kaon/batch/Batch.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon {

/// podio's form of a relation to one object, as it is stored. By default it refers to nothing.
struct PodioReference {
  std::int32_t index = -2;
  std::uint32_t collection = 0; ///< podioCollectionId()
};

/// Returns podio's form of a row of a relation's table. `ids` has podio's numbers of the tables.
[[nodiscard]] inline PodioReference podioReference(const Schema& schema,
                                                   std::span<const std::uint32_t> ids,
                                                   const TableView& relation, std::size_t row) {
  const auto index = detail::loadAs<std::int32_t>(relation.members[detail::relationIndex].at(row));
  const auto table =
      detail::loadAs<std::uint32_t>(relation.members[detail::relationCollection].at(row));
  if (index < 0 || table >= ids.size() || schema.table(table).kind != TableKind::collection)
    return {};
  return {index, ids[table]};
}

} // namespace kaon
