#pragma once

#include <cstdint>
#include <string_view>

namespace kaon {

/// podio's number of the collection of this name, by which relations name it: MurmurHash3 (x86, 32
/// bits, seed 0) of its bytes.
[[nodiscard]] std::uint32_t podioCollectionId(std::string_view name) noexcept;

} // namespace kaon
