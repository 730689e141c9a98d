#pragma once

#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace kaon::io {

/// Reads ranges of a remote file in one go, each to memory of its size. The ranges are inside the
/// file, in order, and do not overlap. Throws Error(io). Several threads may call it at the same
/// time.
using Fetch = std::function<void(std::span<const ByteRange> ranges,
                                 std::span<const std::span<std::byte>> places)>;

/// The bytes fetched at the beginning and at the end when a file is opened: enough for the
/// descriptions of most files.
inline constexpr std::uint64_t edgeBytes = std::uint64_t{128} << 10;

/// A file of `size` bytes for which each request takes long, such as one on a web server.
///
/// The first request fetches its beginning and its end, which are kept. Ranges that are announced
/// or held are fetched by a separate thread, while others use existing data. Announced ranges are
/// kept until they have been read, up to `announcedBytes`; then later announcements replace them.
/// Ranges with few bytes between them are fetched as one. The destructor waits for its threads.
[[nodiscard]] std::unique_ptr<ByteSource> distantSource(std::string name, std::uint64_t size,
                                                        Fetch fetch, std::uint64_t announcedBytes);

} // namespace kaon::io
