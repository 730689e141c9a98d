#pragma once

#include <kaon/formats/hdf5/FileDriver.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kaon::hdf5 {

/// The value of an attribute, as it lies in the header of its object, which is at this position:
/// HDF5 File Format Specification, IV.A. Nothing if it is not there, as where an object has very
/// many attributes, or the header is damaged. Under the lock. Throws as the source does.
[[nodiscard]] std::optional<std::vector<std::byte>>
attributeValue(SourceBytes& file, std::uint64_t position, std::string_view name);

} // namespace kaon::hdf5
