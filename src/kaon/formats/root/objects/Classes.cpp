#include <kaon/formats/root/objects/Classes.h>

#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/objects/Dimensions.h>
#include <kaon/formats/root/objects/NumberLayout.h>
#include <kaon/formats/root/objects/ObjectHeader.h>
#include <kaon/formats/root/objects/Tags.h>
#include <kaon/formats/root/objects/TypeName.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

namespace kaon::root {
namespace {

struct NameAndTitle {
  std::string_view name, title;
};

NameAndTitle readNamed(BigEndianReader& reader) {
  const ObjectHeader frame = readFrame(reader);
  skipTObject(reader);
  const std::string_view name = reader.getString();
  const std::string_view title = reader.getString();
  endFrame(reader, frame);
  return {name, title};
}

/// Reads the beginning of all kinds of elements: TStreamerElement.
ElementInfo readElementPart(BigEndianReader& reader) {
  const ObjectHeader frame = readFrame(reader);
  const NameAndTitle names = readNamed(reader);
  ElementInfo info;
  info.name = names.name;
  info.title = names.title;
  info.type = reader.get<std::int32_t>();
  reader.skip(4); // the size in the writer's memory
  const auto length = reader.get<std::int32_t>();
  info.length = length > 0 ? static_cast<std::uint32_t>(length) : 0;
  std::array<std::uint32_t, 5> sizes{};
  const auto dimensions = std::min<std::size_t>(reader.get<std::uint32_t>(), sizes.size());
  for (std::uint32_t& size : sizes)
    size = reader.get<std::uint32_t>();
  info.dimensions = dimensionsOf(std::span(sizes).first(dimensions), info.length);
  info.typeName = normalTypeName(reader.getString());
  if (info.type == unsignedCharNumber && (info.typeName == "Bool_t" || info.typeName == "bool"))
    info.type = boolNumber;
  endFrame(reader, frame);
  return info;
}

/// Reads an element of any kind, by its class.
ElementInfo readElement(BigEndianReader& reader, std::string_view className) {
  if (className == "TStreamerSTLstring")
    (void)readFrame(reader);
  const ObjectHeader frame = readFrame(reader);
  ElementInfo info = readElementPart(reader);
  info.isBase = className == "TStreamerBase";
  if (info.isBase && frame.version > 2)
    info.baseVersion = reader.get<std::int32_t>();
  else if (className == "TStreamerBasicPointer" || className == "TStreamerLoop") {
    reader.skip(4); // the version of the counter's class
    info.counter = reader.getString();
  }
  info.isCollection = className == "TStreamerSTL" || className == "TStreamerSTLstring";
  if (className == "TStreamerSTL") {
    reader.skip(4); // its kind, which the type gives, too
    info.elementType = reader.get<std::int32_t>();
  }
  return info;
}

ClassInfo readClass(BigEndianReader& reader, const Tags& tags) {
  (void)readFrame(reader);
  ClassInfo info;
  info.name = normalTypeName(readNamed(reader).name);
  info.checksum = reader.get<std::uint32_t>();
  info.version = reader.get<std::int32_t>();
  const Tag list = tags.read(reader);
  if (list.kind != Tag::Kind::object || list.className != "TObjArray")
    reader.failHere("class '" + info.name + "' has no list of members; the file is damaged");
  (void)readFrame(reader);
  skipTObject(reader);
  (void)reader.getString();
  const auto count = reader.get<std::uint32_t>();
  reader.skip(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Tag tag = tags.read(reader);
    if (tag.kind != Tag::Kind::object)
      continue;
    info.elements.push_back(readElement(reader, tag.className));
    endObject(reader, tag);
  }
  return info;
}

} // namespace

Classes::Classes(const RootContainer& container) {
  if (!container.streamerInfos())
    return;
  Buffer storage;
  const RecordKey& key = *container.streamerInfos();
  *this = Classes(container.payload(key, storage), key.keyBytes, container.name() + ": classes");
}

Classes::Classes(std::span<const std::byte> payload, std::size_t keyBytes,
                 const std::string& where) {
  BigEndianReader reader(payload, where);
  const Tags tags(keyBytes);
  forEachObject(reader, tags, [&](const Tag& tag) {
    if (tag.className == "TStreamerInfo")
      add(readClass(reader, tags));
  });
  for (const ClassInfo& info : m_all)
    for (const ElementInfo& element : info.elements)
      noteEnum(element);
}

/// Adds a class. The first one with a version or checksum wins.
void Classes::add(ClassInfo info) {
  const ClassInfo& added = m_all.emplace_back(std::move(info));
  m_byName[added.name].push_back(&added);
  m_byVersion.try_emplace({added.name, added.version}, &added);
  m_byChecksum.try_emplace({added.name, added.checksum}, &added);
}

/// Enums are described as whole numbers with the enum's name. All are written in four bytes.
void Classes::noteEnum(const ElementInfo& element) {
  const auto note = [&](std::string_view name, std::int32_t type) {
    const auto form = type > baseClass && type < fixedArray ? formOf(type) : std::nullopt;
    if (form && form->type < Scalar::Float32 && type != bitsNumber && !name.empty() &&
        !numberNamed(name))
      m_enums.emplace(name);
  };
  if (!element.isCollection)
    return note(element.typeName, element.type < object ? element.type % fixedArray : 0);
  const TypeParts type = partsOfType(element.typeName);
  if (!type.arguments.empty())
    note(type.arguments[0], element.elementType);
}

Classes::Classes(std::vector<ClassInfo> infos) {
  for (ClassInfo& info : infos)
    add(std::move(info));
}

const ClassInfo* Classes::find(std::string_view name, std::int32_t version,
                               std::uint32_t checksum) const noexcept {
  if (version > 0) {
    const auto known = m_byVersion.find({name, version});
    return known == m_byVersion.end() ? nullptr : known->second;
  }
  const auto known = m_byChecksum.find({name, checksum});
  return known == m_byChecksum.end() ? nullptr : known->second;
}

std::span<const ClassInfo* const> Classes::versions(std::string_view name) const noexcept {
  const auto known = m_byName.find(name);
  if (known == m_byName.end())
    return {};
  return known->second;
}

const ClassInfo* Classes::newest(std::string_view name) const noexcept {
  const auto after = m_byVersion.upper_bound({name, std::numeric_limits<std::int32_t>::max()});
  if (after == m_byVersion.begin() || std::prev(after)->first.first != name)
    return nullptr;
  return std::prev(after)->second;
}

} // namespace kaon::root
