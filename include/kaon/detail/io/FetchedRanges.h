#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kaon::io {

/// Sorts ranges and joins those with fewer than `mostBetween` bytes between them.
void joinNeighbours(std::vector<ByteRange>& ranges, std::uint64_t mostBetween);

/// Returns the sum of their bytes.
[[nodiscard]] std::uint64_t bytesIn(std::span<const ByteRange> ranges) noexcept;

/// Bytes of a source that were read together, in one request. For one thread.
class FetchedRanges {
public:
  /// Reads ranges that are in order and do not overlap, and forgets earlier ones. Returns all of
  /// them. Throws the errors of ByteSource::views().
  std::vector<std::span<const std::byte>> fetch(const ByteSource& source,
                                                std::span<const ByteRange> ranges);
  void clear() noexcept { m_ranges.clear(); }

  /// Returns these bytes if they were fetched. They are in the source, or in memory that keeper()
  /// keeps.
  [[nodiscard]] std::optional<std::span<const std::byte>> find(std::uint64_t position,
                                                               std::uint64_t size) const;
  /// Keeps the bytes of the last fetch(), also after further calls.
  [[nodiscard]] std::shared_ptr<const void> keeper() const noexcept { return m_memory; }

private:
  struct FetchedRange {
    ByteRange range;
    std::span<const std::byte> bytes;
  };
  std::vector<FetchedRange> m_ranges; // by offset
  std::shared_ptr<Buffer> m_memory;
};

} // namespace kaon::io
