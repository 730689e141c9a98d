#include <kaon/formats/root/objects/Tags.h>

#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/objects/ObjectHeader.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

namespace kaon::root {
namespace {

constexpr std::uint32_t classBit = 0x8000'0000;
constexpr std::uint32_t newClass = 0xFFFF'FFFF;
constexpr std::size_t numbersBefore = 2; // references count from there
constexpr std::size_t mostNameBytes = 16'384;

/// Returns the name of the class that a tag in these bytes names, or nothing if no tag does.
std::optional<std::string_view> classAt(std::span<const std::byte> bytes, std::size_t position) {
  if (position > bytes.size() || bytes.size() - position < sizeof(newClass) ||
      loadBigEndian<std::uint32_t>(&bytes[position]) != newClass)
    return std::nullopt;
  const auto rest = bytes.subspan(position + sizeof(newClass));
  const char* const name = detail::valuesAt<char>(rest.data());
  const void* const end = std::memchr(name, 0, std::min(rest.size(), mostNameBytes));
  if (!end)
    return std::nullopt;
  return std::string_view(name, static_cast<std::size_t>(static_cast<const char*>(end) - name));
}

} // namespace

/// Returns the class that an earlier tag named. That tag may be inside an object that was skipped,
/// so it is read again from the bytes.
std::string_view Tags::classNumbered(std::uint32_t number, const BigEndianReader& reader) const {
  const std::size_t before = m_bytesBefore + numbersBefore;
  const auto bytes = reader.bytes().first(reader.position());
  const auto name = number < before ? std::nullopt : classAt(bytes, number - before);
  if (!name)
    reader.failHere("an object is of a class that was not named; the file is damaged");
  return *name;
}

Tag Tags::read(BigEndianReader& reader) const {
  Tag tag;
  tag.number = static_cast<std::uint32_t>(reader.position() + m_bytesBefore + numbersBefore);
  const auto first = reader.get<std::uint32_t>();
  if (first == 0)
    return tag;
  if ((first & (hasByteCount | classBit)) == 0)
    return {Tag::Kind::reference, first, {}, 0};
  const std::uint32_t bytes = first & ~hasByteCount;
  if ((first & hasByteCount) == 0 || first == newClass || bytes > reader.remaining() || bytes < 4)
    reader.failHere("a pointer leads to no object; the file is damaged");
  tag.end = reader.position() + bytes;
  const auto second = reader.get<std::uint32_t>();
  if (second == newClass) {
    tag.kind = Tag::Kind::object;
    tag.className = reader.getCString();
    if (reader.position() > tag.end)
      reader.failHere("an object ends in the name of its class; the file is damaged");
    return tag;
  }
  if ((second & classBit) == 0) { // groot writes a length before numbers of objects, too
    reader.seek(tag.end);
    return {second == 0 ? Tag::Kind::null : Tag::Kind::reference, second, {}, 0};
  }
  tag.kind = Tag::Kind::object;
  tag.className = classNumbered(second & ~classBit, reader);
  return tag;
}

void endObject(BigEndianReader& reader, const Tag& tag) {
  if (reader.position() > tag.end)
    reader.failHere("an object has another length than it says; the file is damaged");
  reader.seek(tag.end);
}

std::uint32_t beginList(BigEndianReader& reader) {
  (void)readFrame(reader);
  skipTObject(reader);
  (void)reader.getString();
  return reader.get<std::uint32_t>();
}

} // namespace kaon::root
