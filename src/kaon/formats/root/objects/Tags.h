#pragma once

#include <kaon/formats/root/container/BigEndian.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kaon::root {

/// The tag before an object behind a pointer.
struct Tag {
  enum class Kind : std::uint8_t { null, reference, object };
  Kind kind = Kind::null;
  std::uint32_t number = 0;   ///< pointers use it to refer to the object
  std::string_view className; ///< of an object
  std::size_t end = 0;        ///< objects only: the end in the reader's bytes
};

/// Reads tags.
class Tags {
public:
  /// `bytesBefore` is the size of the key before the reader's bytes, where positions in tags start.
  explicit Tags(std::size_t bytesBefore) : m_bytesBefore(bytesBefore) {}

  /// Throws Error(corrupt), Error(version).
  [[nodiscard]] Tag read(BigEndianReader& reader) const;

private:
  [[nodiscard]] std::string_view classNumbered(std::uint32_t number,
                                               const BigEndianReader& reader) const;

  std::size_t m_bytesBefore;
};

/// Moves to the end of an object. Throws Error(corrupt) if more was read than it has. The bytes
/// behind it would otherwise be read twice.
void endObject(BigEndianReader& reader, const Tag& tag);

/// Reads the header of a TList, and returns the number of its items.
[[nodiscard]] std::uint32_t beginList(BigEndianReader& reader);

/// Reads a TList. Calls `use(tag)` for each object in it, which may read the object or leave it.
template <class Use>
void forEachObject(BigEndianReader& reader, const Tags& tags, const Use& use) {
  const std::uint32_t count = beginList(reader);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (const Tag tag = tags.read(reader); tag.kind == Tag::Kind::object) {
      use(tag);
      endObject(reader, tag);
    }
    reader.skip(reader.get<std::uint8_t>()); // an option
  }
}

} // namespace kaon::root
