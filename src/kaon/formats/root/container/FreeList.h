#pragma once

#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/container/RootContainer.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::root {

/// The unused bytes of a file (TFree), which ROOT and uproot write to when they update it. The last
/// segment is everything behind the end of the file.
class FreeList {
public:
  struct Segment {
    std::uint64_t first = 0, last = 0; ///< both included
  };

  /// The list of a new file.
  FreeList() = default;
  /// Reads the list of a file. Leaves out segments that overlap others or are not in the file.
  explicit FreeList(const RootContainer& container);

  /// Adds the bytes of a record that nothing refers to any more.
  void add(std::uint64_t position, std::uint64_t bytes);
  /// The segments before the last one, in order; neighbours are joined.
  [[nodiscard]] std::vector<Segment> segments() const;

  /// The number of segments and of bytes that put() writes.
  [[nodiscard]] std::uint32_t count() const;
  [[nodiscard]] std::size_t bytes(bool endIsWide) const;
  /// Writes the list of a file that ends at `end`.
  void put(BigEndianWriter& writer, std::uint64_t end) const;

private:
  std::vector<Segment> m_segments; // in any order
};

} // namespace kaon::root
