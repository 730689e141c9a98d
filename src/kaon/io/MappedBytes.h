#pragma once

#include <cstddef>
#include <span>

namespace kaon::io {

/// Makes the system map bytes of a file at once before they are read from end to end. Mapping them
/// page by page takes half as long as copying them. For bytes in a map or elsewhere in memory; does
/// nothing if the system lacks the function.
void mapAtOnce(std::span<const std::byte> bytes) noexcept;

} // namespace kaon::io
