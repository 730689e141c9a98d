#pragma once

#include <kaon/codec/Stored.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace kaon::codec {

// The bytes of large pages, which are made, stored and used in parts.

/// Pages with more bytes of values are encoded and decoded in parts.
inline constexpr std::size_t mostAtOnce = std::size_t{4} << 20;
/// The bytes of a part.
inline constexpr std::size_t partBytes = std::size_t{256} << 10;

/// Returns the bytes [first, first + count) of a page's values, at most partBytes. They are valid
/// until the next call.
using BytesAt = std::function<Bytes(std::size_t first, std::size_t count)>;

/// Takes stored bytes.
class PartOutput {
public:
  virtual ~PartOutput() = default;
  PartOutput() = default;
  PartOutput(const PartOutput&) = delete;
  PartOutput& operator=(const PartOutput&) = delete;

  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  virtual void append(Bytes bytes) = 0;
  /// Replaces bytes that were appended.
  virtual void rewrite(std::uint64_t position, Bytes bytes) = 0;
  /// Removes the bytes from `size` on.
  virtual void shrink(std::uint64_t size) = 0;
};

/// Is called with stored bytes that were decoded.
using BytesUsed = std::function<void(Bytes)>;

} // namespace kaon::codec
