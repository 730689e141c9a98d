#pragma once

#include <kaon/formats/root/ntuple/Descriptor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaon::root {

/// The columns at a place among the `places` columns of a field: one for each representation.
/// Throws Error(type) if the field has others.
[[nodiscard]] std::vector<std::uint32_t> columnsAt(const Descriptor& descriptor, const Field& field,
                                                   std::size_t place, std::size_t places);

/// The same, of columns that say where lists end.
[[nodiscard]] std::vector<std::uint32_t> endColumns(const Descriptor& descriptor,
                                                    const Field& field, std::size_t places);

} // namespace kaon::root
