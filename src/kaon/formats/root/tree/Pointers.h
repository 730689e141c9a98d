#pragma once

#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/Tags.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::root {

/// The target of a pointer, and its place in the reader's bytes.
struct PointedObject {
  std::string_view className; ///< empty for a null pointer
  std::size_t begin = 0, end = 0;
  bool isHere = false; ///< the object follows the pointer; otherwise an earlier pointer had it

  [[nodiscard]] bool isNull() const noexcept { return className.empty(); }
};

/// Follows the pointers in the values of entries.
class Pointers {
public:
  /// Begins with the bytes of another reader. `bytesBefore` is their position in the basket,
  /// including its key.
  void beginPiece(std::size_t bytesBefore) noexcept { m_tags = Tags(bytesBefore); }
  /// Forgets all objects. Pointers only refer to objects of the same entry.
  void beginEntry() noexcept { m_known.clear(); }
  /// Reads a pointer. A pointer to an unknown object is treated as null. Throws Error(corrupt).
  [[nodiscard]] PointedObject read(BigEndianReader& reader);

private:
  struct Known {
    std::uint32_t number;
    PointedObject object;
  };
  Tags m_tags{0};
  std::vector<Known> m_known; // by number
};

} // namespace kaon::root
