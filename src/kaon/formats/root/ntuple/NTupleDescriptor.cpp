#include <kaon/formats/root/ntuple/NTupleDescriptor.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/ntuple/Envelope.h>

#include <array>
#include <cmath>

namespace kaon::root {
namespace {

NTupleField takeField(ByteReader& reader) {
  constexpr unsigned isArray = 1, isProjected = 2, hasChecksum = 4, isSoa = 8;
  NTupleField field;
  (void)reader.get<std::uint32_t>(); // the version of the field
  field.classVersion = reader.get<std::uint32_t>();
  field.parent = reader.get<std::uint32_t>();
  field.role = static_cast<FieldRole>(reader.get<std::uint16_t>());
  const unsigned flags = reader.get<std::uint16_t>();
  field.name = reader.getString();
  field.typeName = reader.getString();
  (void)reader.getString(); // the type's name in the program
  field.description = reader.getString();
  if (flags & isArray) {
    field.arraySize = reader.get<std::uint64_t>();
    if (field.arraySize == 0)
      field.role = FieldRole::streamed; // an array without elements has nothing to read
  }
  field.isProjected = (flags & isProjected) != 0;
  if (field.isProjected)
    field.source = reader.get<std::uint32_t>();
  if (flags & hasChecksum)
    field.classChecksum = reader.get<std::uint32_t>();
  field.isSoa = (flags & isSoa) != 0;
  return field;
}

StoredColumn takeColumn(ByteReader& reader) {
  constexpr unsigned isDeferred = 1, hasRange = 2;
  StoredColumn column;
  column.type = static_cast<NTupleColumnType>(reader.get<std::uint16_t>());
  column.bits = reader.get<std::uint16_t>();
  column.field = reader.get<std::uint32_t>();
  const unsigned flags = reader.get<std::uint16_t>();
  column.representation = reader.get<std::uint16_t>();
  column.isDeferred = (flags & isDeferred) != 0;
  if (column.isDeferred)
    (void)reader.get<std::int64_t>(); // the first element, which page lists store again
  if (flags & hasRange) {
    column.low = reader.get<double>();
    column.high = reader.get<double>();
  }
  return column;
}

/// Reads the four lists of a schema or of its extension.
void takeSchema(ByteReader& reader, NTupleDescriptor& descriptor) {
  ItemList fields = takeList(reader);
  for (std::uint32_t i = 0; i < fields.count; ++i) {
    ByteReader record = takeRecord(fields.items);
    descriptor.fields.push_back(takeField(record));
  }
  const auto addTo = [&](std::uint32_t field, std::uint32_t column) {
    if (field >= descriptor.fields.size())
      failDamaged(reader, "a column belongs to no field");
    descriptor.fields[field].columns.push_back(column);
  };
  ItemList columns = takeList(reader);
  for (std::uint32_t i = 0; i < columns.count; ++i) {
    ByteReader record = takeRecord(columns.items);
    const auto number = static_cast<std::uint32_t>(descriptor.columns.size());
    descriptor.columns.push_back(takeColumn(record));
    addTo(descriptor.columns.back().field, number);
  }
  ItemList aliases = takeList(reader);
  for (std::uint32_t i = 0; i < aliases.count; ++i) {
    ByteReader record = takeRecord(aliases.items);
    const auto column = record.get<std::uint32_t>();
    if (column >= descriptor.columns.size())
      failDamaged(reader, "an alias stands for a column that does not exist");
    addTo(record.get<std::uint32_t>(), column);
  }
  (void)takeList(reader); // descriptions of classes, for streamed fields
}

/// Links fields to their parents. A parent's number is always smaller, so the fields form trees.
void linkFields(NTupleDescriptor& descriptor, const ByteReader& reader) {
  for (std::uint32_t i = 0; i < descriptor.fields.size(); ++i) {
    const std::uint32_t parent = descriptor.fields[i].parent;
    if (parent > i)
      failDamaged(reader, "a field lies under one that does not exist before it");
    if (parent == i)
      descriptor.topFields.push_back(i);
    else
      descriptor.fields[parent].children.push_back(i);
  }
}

void takeHeader(ByteReader& reader, NTupleDescriptor& descriptor) {
  checkFeatures(reader);
  for (int i = 0; i < 3; ++i)
    (void)reader.getString(); // the name, which the key has, too; a description; the writer
  takeSchema(reader, descriptor);
}

void takeFooter(ByteReader& reader, NTupleDescriptor& descriptor) {
  checkFeatures(reader);
  if (reader.get<std::uint64_t>() != descriptor.headerChecksum)
    failDamaged(reader, "belongs to another header");
  ByteReader extension = takeRecord(reader);
  if (!extension.atEnd())
    takeSchema(extension, descriptor);
  ItemList groups = takeList(reader);
  for (std::uint32_t i = 0; i < groups.count; ++i) {
    ByteReader record = takeRecord(groups.items);
    ClusterGroup group;
    (void)record.take(2 * sizeof(std::uint64_t)); // its entries, which its clusters have, too
    group.clusters = record.get<std::uint32_t>();
    group.pageList = takeLink(record);
    descriptor.groups.push_back(group);
  }
}

/// Reads the stored bytes of header and footer. One request suffices unless they are split into
/// pieces.
std::array<std::span<const std::byte>, 2> readBoth(const RootContainer& container,
                                                   const NTupleAnchor& anchor,
                                                   std::array<Buffer, 2>& storage,
                                                   const std::string& where) {
  const Locator header = anchor.header.place, footer = anchor.footer.place;
  const auto isWhole = [&](const Locator& place) {
    return anchor.maxKeySize == 0 || place.bytes <= anchor.maxKeySize;
  };
  if (isWhole(header) && isWhole(footer)) {
    const std::array ranges{io::ByteRange{header.position, header.bytes},
                            io::ByteRange{footer.position, footer.bytes}};
    const auto views = container.bytes().views(ranges, storage[0]);
    return {views[0], views[1]};
  }
  return {
      readBlob(container.bytes(), header, anchor.maxKeySize, storage[0], where + ": the header"),
      readBlob(container.bytes(), footer, anchor.maxKeySize, storage[1], where + ": the footer")};
}

} // namespace

NTupleDescriptor readDescriptor(const RootContainer& container, const NTupleAnchor& anchor,
                                const std::string& where) {
  std::array<Buffer, 2> storage;
  const auto [header, footer] = readBoth(container, anchor, storage, where);
  NTupleDescriptor descriptor;
  descriptor.maxKeySize = anchor.maxKeySize;
  Buffer room;
  const auto opened = openEnvelope(header, EnvelopeType::header, anchor.header.length, room,
                                   where + ": the header");
  descriptor.headerChecksum = opened.checksum;
  ByteReader headerReader(opened.payload, where + ": the header");
  takeHeader(headerReader, descriptor);
  ByteReader reader(
      openEnvelope(footer, EnvelopeType::footer, anchor.footer.length, room, where + ": the footer")
          .payload,
      where + ": the footer");
  takeFooter(reader, descriptor);
  linkFields(descriptor, reader);
  return descriptor;
}

} // namespace kaon::root
