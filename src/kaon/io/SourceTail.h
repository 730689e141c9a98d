#pragma once

#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>

namespace kaon::io {

/// Returns the bytes of a source from `begin` on, which must be inside it, as a source with the
/// same name.
[[nodiscard]] std::unique_ptr<ByteSource> tailOf(std::unique_ptr<ByteSource> source,
                                                 std::uint64_t begin);

} // namespace kaon::io
