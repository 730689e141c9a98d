#pragma once

#include <kaon/formats/hdf5/CategoryContents.h>
#include <kaon/formats/hdf5/Library.h>

#include <string_view>

namespace kaon::hdf5 {

/// The category in the group `name` as kaon wrote it: the tables that `schema` says, in the
/// datasets where kaon puts them. Under the lock. Throws Error(corrupt), and Error(type) where
/// datasets are others than kaon writes: another program changed them.
[[nodiscard]] CategoryContents storedCategory(hid_t file, SourceBytes& bytes, std::string_view name,
                                              std::string_view schema);

} // namespace kaon::hdf5
