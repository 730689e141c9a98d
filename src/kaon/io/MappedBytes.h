#pragma once

#include <cstddef>
#include <span>

namespace kaon::io {

/// Has the system map bytes of a file that are about to be read from end to end, all at once: page
/// by page, as they are met, that takes it half as long as copying them. For bytes that lie in a
/// map or elsewhere in memory; where the system cannot do it nothing happens.
void mapAtOnce(std::span<const std::byte> bytes) noexcept;

} // namespace kaon::io
