#pragma once

#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>

namespace kaon::io {

/// Returns the bytes [begin, end) of a source, which must be inside it, as a source with the same
/// name.
[[nodiscard]] std::unique_ptr<ByteSource> partOf(std::shared_ptr<const ByteSource> source,
                                                 std::uint64_t begin, std::uint64_t end);

} // namespace kaon::io
