#pragma once

#include <chrono>
#include <cstdint>

namespace kaon::io {

/// The limits of waiting for a server.
struct HttpLimits {
  /// The time for a connection, and for which a server may be slower than `leastBytesPerSecond`.
  std::chrono::seconds patience{30};
  long leastBytesPerSecond = 1000;
  /// A request with all its attempts takes at most the time of all its bytes at this speed, and
  /// four times `patience`.
  std::uint64_t wholeBytesPerSecond = 10'000;
};

} // namespace kaon::io
