#include <kaon/formats/root/tree/ClonesClasses.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/tree/BasketCache.h>
#include <kaon/formats/root/tree/ShapeDecoder.h>

#include <algorithm>
#include <map>
#include <vector>

namespace kaon::root {
namespace {

/// Collects the places of TClonesArrays whose class is unknown.
void findUnknown(const ShapePart& part, std::vector<std::string>& places) {
  if (part.wrap == ShapePart::Wrap::clones &&
      part.shape.parts[0].shape.kind == Shape::Kind::nothing)
    places.push_back(part.place);
  for (const ShapePart& inside : part.shape.parts)
    findUnknown(inside, places);
}

/// Finds unknown classes in an entry. The number of its values is unknown, so decoding may reach
/// the end too early.
std::map<std::string, std::string> classesIn(ShapeDecoder& stream, BigEndianReader& reader) {
  try {
    stream.lookAt(reader);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::version && stream.newClones().empty())
      throw;
  }
  return stream.newClones();
}

} // namespace

/// Finds classes in the first basket.
ClonesClasses::ClassesByPlace ClonesClasses::classesIn(const Unit& unit) {
  constexpr std::uint64_t mostEntries = 1000;
  const BasketPositions& places = unit.branch->baskets;
  ClassesByPlace classes;
  if (places.size() == 0 || places.entries() == 0 || places.bytes(0) > m_left)
    return classes;
  m_left -= places.bytes(0);
  const io::FetchedRanges nothing;
  BasketCache baskets(m_container, m_tree, {unit.branch}, nothing);
  const Basket& basket = baskets.at(0, 0, [](const Basket&) {
    fail(ErrorKind::version, "its baskets do not say where their entries begin");
  });
  ShapeDecoder stream(unit.part);
  const std::uint64_t last = std::min(basket.lastEntry(), mostEntries);
  basket.forEntries(0, last, [&](std::uint64_t entry, std::span<const std::byte> bytes) {
    if (bytes.empty() || !classes.empty())
      return;
    BigEndianReader reader(bytes, baskets.where(0, entry));
    stream.beginPiece(basket.bytesBefore(entry));
    classes = root::classesIn(stream, reader);
  });
  return classes;
}

Unit ClonesClasses::unitOf(Shapes& shapes, const std::function<Unit()>& make) {
  shapes.beginBranch();
  for (;;) {
    Unit unit = make();
    std::vector<std::string> unknown;
    findUnknown(unit.part, unknown);
    if (unknown.empty())
      return unit;
    const ClassesByPlace classes = classesIn(unit);
    for (const auto& [place, className] : classes)
      shapes.setClones(place, className);
    for (const std::string& place : unknown)
      if (classes.empty()) // perhaps all pointers are null
        shapes.setClones(place, "");
  }
}

} // namespace kaon::root
