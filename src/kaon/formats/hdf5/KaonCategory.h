#pragma once

#include <kaon/formats/hdf5/CategoryDatasets.h>
#include <kaon/formats/hdf5/Library.h>

#include <string_view>

namespace kaon::hdf5 {

/// Opens the category in the group `name` as kaon wrote it: the tables of `schema`, in kaon's
/// datasets. Call it under the lock. Throws Error(corrupt). Throws Error(type) if datasets differ
/// from the schema because another program changed them.
[[nodiscard]] CategoryDatasets storedCategory(hid_t file, SourceBytes& bytes, std::string_view name,
                                              std::string_view schema);

} // namespace kaon::hdf5
