#include <kaon/formats/root/objects/Tags.h>

#include <kaon/formats/root/objects/Frame.h>

#include <algorithm>

namespace kaon::root {
namespace {

constexpr std::uint32_t classBit = 0x8000'0000;
constexpr std::uint32_t newClass = 0xFFFF'FFFF;
constexpr std::size_t numbersBefore = 2; // references count from there

} // namespace

Tag Tags::read(BigEndianReader& reader) {
  const auto numberHere = [&] {
    return static_cast<std::uint32_t>(reader.position() + m_bytesBefore + numbersBefore);
  };
  Tag tag;
  tag.number = numberHere();
  const auto first = reader.get<std::uint32_t>();
  if (first == 0)
    return tag;
  if ((first & (hasByteCount | classBit)) == 0)
    return {Tag::Kind::reference, first, {}, 0};
  const std::uint32_t bytes = first & ~hasByteCount;
  if ((first & hasByteCount) == 0 || first == newClass || bytes > reader.remaining() || bytes < 4)
    reader.failHere("a pointer leads to no object; the file is damaged");
  tag.kind = Tag::Kind::object;
  tag.end = reader.position() + bytes;
  const std::uint32_t numberOfClass = numberHere();
  const auto second = reader.get<std::uint32_t>();
  if (second == newClass) {
    tag.className = reader.getCString();
    if (reader.position() > tag.end)
      reader.failHere("an object ends in the name of its class; the file is damaged");
    // Otherwise the same tag is being read again.
    if (m_classes.empty() || m_classes.back().number < numberOfClass)
      m_classes.push_back({numberOfClass, tag.className});
    return tag;
  }
  const auto known = std::ranges::lower_bound(m_classes, second & ~classBit, {}, &Class::number);
  if ((second & classBit) == 0 || known == m_classes.end() || known->number != (second & ~classBit))
    reader.failHere("an object is of a class that was not named; the file is damaged");
  tag.className = known->name;
  return tag;
}

void endObject(BigEndianReader& reader, const Tag& tag) {
  if (reader.position() > tag.end)
    reader.failHere("an object has another length than it says; the file is damaged");
  reader.seek(tag.end);
}

} // namespace kaon::root
