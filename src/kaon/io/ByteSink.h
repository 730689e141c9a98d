#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace kaon::io {

/// Where bytes go, front to back. For one thread at a time.
class ByteSink {
public:
  virtual ~ByteSink() = default;
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// Appends all the bytes or throws Error(io).
  virtual void write(std::span<const std::byte> bytes) = 0;
  /// Makes what was written durable and gives it its final name. Throws Error(io).
  virtual void finish() = 0;
};

/// A new file at `path`, which appears there only at finish(): until then the bytes go to
/// `path` + ".part" and whatever lies at `path` stays as it is. A second writer of the same file is
/// refused while the first one lives; a ".part" that a dead writer left is replaced.
[[nodiscard]] std::unique_ptr<ByteSink> fileSink(const std::string& path);

} // namespace kaon::io
