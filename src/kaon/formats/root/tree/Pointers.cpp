#include <kaon/formats/root/tree/Pointers.h>

#include <algorithm>

namespace kaon::root {

PointedObject Pointers::read(BigEndianReader& reader) {
  const Tag tag = m_tags.read(reader);
  if (tag.kind == Tag::Kind::null)
    return {};
  if (tag.kind == Tag::Kind::reference) {
    const auto known = std::ranges::lower_bound(m_known, tag.number, {}, &Known::number);
    return known == m_known.end() || known->number != tag.number ? PointedObject() : known->object;
  }
  PointedObject object{tag.className, reader.position(), tag.end, false};
  // Otherwise the same pointer is being read again.
  if (m_known.empty() || m_known.back().number < tag.number)
    m_known.push_back({tag.number, object});
  object.isHere = true;
  return object;
}

} // namespace kaon::root
