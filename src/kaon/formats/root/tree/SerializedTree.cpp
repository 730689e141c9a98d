#include <kaon/formats/root/tree/SerializedTree.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/tree/Basket.h>

#include <cmath>
#include <string>

namespace kaon::root {
namespace {

SerializedForm formOf(const Unit& unit) {
  const NumberLayout& number = unit.numbers().form;
  SerializedForm form;
  form.bits = 8U * number.storedBytes;
  form.extent = unit.numbers().extent;
  form.skipped = unit.kind == Unit::Kind::lists ? unit.headBytes : unit.offset;
  switch (number.kind) {
  case NumberLayout::Kind::truncated:
    form.type = "truncated";
    form.mantissaBits = number.bits;
    break;
  case NumberLayout::Kind::steps:
    form.type = "steps";
    form.low = number.low;
    form.step = 1 / number.stepsPerUnit;
    break;
  case NumberLayout::Kind::widened:
    form.type = nameOf(Scalar::Float32);
    break;
  default:
    form.type = nameOf(number.type);
  }
  return form;
}

std::string whereOf(const TreeContents& contents, const SerializedPage& page) {
  return contents.name() + ": the basket of entry " + std::to_string(page.entries.first) +
         " at byte " + std::to_string(page.position);
}

const Unit& unitOf(const TreeContents& contents, std::uint32_t column) {
  return contents.tables().units[contents.tables().origins[column].unit];
}

/// Reads a basket in the record of its tree, and assembles it like a basket with its own record.
void readEmbedded(const TreeContents& contents, SerializedPage& page, Buffer& room) {
  const BasketPositions& places = unitOf(contents, page.column).branch->baskets;
  const auto record = places.embedded(places.find(page.entries.first));
  const std::string where = whereOf(contents, page);
  BigEndianReader reader(record, where);
  const BasketHeader header = readBasketHeader(reader, true, where);
  Basket basket;
  basket.open(record, true, page.entries.first, where);
  room.clear();
  basket.putSerialized(room);
  page.bytes = room.bytes();
  page.decompressedBytes = room.size();
  page.form.keyBytes = header.key.keyBytes;
  page.form.dataBytes = header.dataBytes;
  page.form.entryBytes = static_cast<std::uint32_t>(header.entryBytes);
  using enum SerializedForm::Bounds;
  page.form.bounds = room.size() > header.dataBytes ? offsets
                     : basket.lacksBounds()         ? counter
                                                    : fixed;
}

} // namespace

std::vector<SerializedPage> serializedBaskets(const TreeContents& contents, std::uint32_t column,
                                              EntryRange entries) {
  const ColumnOrigin& origin = contents.tables().origins[column];
  std::vector<SerializedPage> pages;
  if (origin.kind == ColumnOrigin::Kind::presence || origin.kind == ColumnOrigin::Kind::listSizes)
    return pages;
  const Unit& unit = unitOf(contents, column);
  if (origin.kind == ColumnOrigin::Kind::streamed)
    fail(
        ErrorKind::usage, contents.name(), ": the branch '", unit.branch->name,
        "' has objects of classes, whose bytes are not a sequence of numbers; batches decode them");
  const BasketPositions& places = unit.branch->baskets;
  for (std::size_t basket = 0; basket < places.size(); ++basket) {
    const EntryRange all{places.firstEntry(basket), places.lastEntry(basket)};
    if (all.first >= entries.last || all.last <= entries.first)
      continue;
    SerializedPage& page = pages.emplace_back();
    page.column = column;
    page.entries = all;
    page.form = formOf(unit);
    page.position = places.position(basket);
    page.storedBytes = places.bytes(basket);
  }
  return pages;
}

void readSerialized(const TreeContents& contents, SerializedPage& page,
                    const io::FetchedRanges& fetched, Buffer& room) {
  if (page.position == 0)
    return readEmbedded(contents, page, room);
  const std::string where = whereOf(contents, page);
  const auto known = fetched.find(page.position, page.storedBytes);
  const auto record = known ? *known
                            : contents.container().bytes().view(
                                  page.position, static_cast<std::size_t>(page.storedBytes), room);
  BigEndianReader reader(record, where);
  const BasketHeader header = readBasketHeader(reader, false, where);
  const bool isSound = header.key.recordBytes <= record.size() &&
                       header.entries == page.entries.size() &&
                       header.dataBytes <= header.key.objectBytes &&
                       canBecome(header.key.storedBytes(), header.key.objectBytes);
  if (!isSound)
    fail(ErrorKind::corrupt, where, ": its size does not match its header; the file is damaged");
  page.bytes = record.subspan(header.key.keyBytes, header.key.storedBytes());
  page.decompressedBytes = header.key.objectBytes;
  page.form.keyBytes = header.key.keyBytes;
  page.form.dataBytes = header.dataBytes;
  page.form.entryBytes = static_cast<std::uint32_t>(header.entryBytes);
  const bool hasOffsets = page.decompressedBytes > header.dataBytes;
  using enum SerializedForm::Bounds;
  page.form.bounds = header.lacksOffsets() ? counter
                     : !hasOffsets         ? fixed
                     : header.hasSizes     ? sizes
                                           : offsets;
}

} // namespace kaon::root
