#pragma once

#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/Tags.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::root {

/// An object that a pointer leads to, and where it lies in the reader's bytes.
struct PointedObject {
  std::string_view className; ///< empty where the pointer leads to none
  std::size_t begin = 0, end = 0;
  bool isHere = false; ///< it follows the pointer; else an earlier one led to it

  [[nodiscard]] bool isNull() const noexcept { return className.empty(); }
};

/// Follows the pointers in the values of entries.
class Pointers {
public:
  /// The next entries lie in a reader's bytes of which so many of the basket, with its key, come
  /// before.
  void beginPiece(std::size_t bytesBefore) noexcept { m_bytesBefore = bytesBefore; }
  /// Forgets all objects: pointers lead to those of their own entry.
  void beginEntry() noexcept;
  /// Reads a pointer. One to an object that was not seen leads to none. Throws Error(corrupt).
  [[nodiscard]] PointedObject read(BigEndianReader& reader);

private:
  struct Known {
    std::uint32_t number;
    PointedObject object;
  };
  std::size_t m_bytesBefore = 0;
  Tags m_tags{0};
  std::vector<Known> m_known; // by number
};

} // namespace kaon::root
