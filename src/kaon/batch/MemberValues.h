#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/model/Table.h>

#include <cstddef>

namespace kaon {

/// Returns the values of a member in `count` rows from `first` on, contiguous and rounded to its
/// precision. They are in `storage`, or in their original place.
[[nodiscard]] const std::byte* valuesInOrder(const Member& member, const ColumnView& values,
                                             std::size_t first, std::size_t count, Buffer& storage);

} // namespace kaon
