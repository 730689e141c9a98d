#pragma once

#include <kaon/formats/root/ntuple/NTupleDescriptor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaon::root {

/// Returns the columns at one place among the `places` columns of a field, one for each
/// representation. Throws Error(type) if the field has another number of columns.
[[nodiscard]] std::vector<std::uint32_t> columnsAt(const NTupleDescriptor& descriptor,
                                                   const NTupleField& field, std::size_t place,
                                                   std::size_t places);

/// Like columnsAt() for the columns that store the ends of lists.
[[nodiscard]] std::vector<std::uint32_t> endColumns(const NTupleDescriptor& descriptor,
                                                    const NTupleField& field, std::size_t places);

} // namespace kaon::root
