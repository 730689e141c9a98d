#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/model/Table.h>

#include <cstddef>

namespace kaon {

/// The values of a member in `count` rows from `first` on, one after another and rounded to its
/// precision: where they lie, or in `storage`.
[[nodiscard]] const std::byte* valuesInOrder(const Member& member, const ColumnView& values,
                                             std::size_t first, std::size_t count, Buffer& storage);

} // namespace kaon
