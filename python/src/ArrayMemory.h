#pragma once

#include <cstddef>
#include <memory>

namespace kaon::python {

/// Memory of an array; whoever lets go of it leaves it to the next one.
struct ArrayMemoryDeleter {
  std::size_t bytes;
  void operator()(std::byte* memory) const noexcept;
};
using ArrayMemory = std::unique_ptr<std::byte[], ArrayMemoryDeleter>;

/// From so many bytes on it is worth while to take memory from here.
constexpr std::size_t leastArrayMemory = std::size_t{1} << 20;

/// So many bytes or a few more, for what is written as a whole: they have any value. The system
/// would clear fresh pages first, which takes as long as it takes to decode columns into them; what
/// arrays had that are gone is taken again instead, and the system may have it back meanwhile.
/// Throws std::bad_alloc.
[[nodiscard]] ArrayMemory takeArrayMemory(std::size_t bytes);

} // namespace kaon::python
