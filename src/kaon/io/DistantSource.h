#pragma once

#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace kaon::io {

/// Gets ranges of a file that is far away, in one go, each to the memory of its size. The ranges
/// are inside the file, in order, and do not overlap. Throws Error(io). Called by any thread, by
/// several at the same time.
using Fetch = std::function<void(std::span<const ByteRange> ranges,
                                 std::span<const std::span<std::byte>> places)>;

/// What is fetched of a file when it is opened, at its beginning and at its end: as much as the
/// descriptions of most files take.
inline constexpr std::uint64_t edgeBytes = std::uint64_t{128} << 10;

/// A file of so many bytes to which each request takes long, such as one on a web server.
///
/// Its beginning and its end come with the first request and are kept. What is announced or held is
/// fetched by a thread of its own, while others use what is there; what is only announced is kept
/// until it was asked for, but no more than so many bytes, or else until that comes that was
/// announced later. Ranges with few bytes between them are fetched as one. Waits for its threads
/// when it dies.
[[nodiscard]] std::unique_ptr<ByteSource> distantSource(std::string name, std::uint64_t size,
                                                        Fetch fetch, std::uint64_t announcedBytes);

} // namespace kaon::io
