#pragma once

#include <cstdint>
#include <string_view>

namespace kaon {

/// Returns podio's number of the collection with this name, which relations use. It is the
/// MurmurHash3 (x86, 32 bits, seed 0) of the name's bytes.
[[nodiscard]] std::uint32_t podioCollectionId(std::string_view name) noexcept;

} // namespace kaon
