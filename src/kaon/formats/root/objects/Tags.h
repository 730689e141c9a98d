#pragma once

#include <kaon/formats/root/container/BigEndian.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::root {

/// What stands before an object that a pointer led to.
struct Tag {
  enum class Kind : std::uint8_t { null, reference, object };
  Kind kind = Kind::null;
  std::uint32_t number = 0;   ///< by which others refer to the object; which one is referred to
  std::string_view className; ///< of an object
  std::size_t end = 0;        ///< of an object: where it ends in the reader's bytes
};

/// Reads tags, and knows the classes that earlier ones named.
class Tags {
public:
  /// Positions in tags count from so many bytes before the reader's first: the key's.
  explicit Tags(std::size_t bytesBefore) : m_bytesBefore(bytesBefore) {}

  /// Forgets all classes.
  void restart(std::size_t bytesBefore) noexcept {
    m_bytesBefore = bytesBefore;
    m_classes.clear();
  }

  /// Throws Error(corrupt), Error(version).
  [[nodiscard]] Tag read(BigEndianReader& reader);

private:
  std::size_t m_bytesBefore;
  struct Class {
    std::uint32_t number;
    std::string_view name;
  };
  std::vector<Class> m_classes; // by number
};

/// Goes to where an object ends. Throws Error(corrupt) if more was read than it has: what lies
/// behind it would be read again and again.
void endObject(BigEndianReader& reader, const Tag& tag);

} // namespace kaon::root
