#include <kaon/formats/root/objects/CopiedClasses.h>

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/ObjectHeader.h>
#include <kaon/formats/root/objects/Tags.h>

#include <algorithm>
#include <utility>

namespace kaon::root {
namespace {

std::vector<std::byte> bytesBetween(const BigEndianReader& reader, std::size_t begin,
                                    std::size_t end) {
  const auto bytes = reader.bytes().subspan(begin, end - begin);
  return {bytes.begin(), bytes.end()};
}

std::string_view readName(BigEndianReader& reader) {
  const ObjectHeader frame = readFrame(reader);
  skipTObject(reader);
  const std::string_view name = reader.getString();
  endFrame(reader, frame);
  return name;
}

} // namespace

bool CopiedClasses::contains(std::string_view name, std::int32_t version) const noexcept {
  return std::ranges::any_of(m_classes, [&](const Class& known) {
    return known.name == name && known.version == version;
  });
}

void CopiedClasses::addClass(Class added) {
  const bool isKnown = std::ranges::any_of(m_classes, [&](const Class& known) {
    return known.name == added.name && known.version == added.version &&
           known.checksum == added.checksum;
  });
  if (!isKnown)
    m_classes.push_back(std::move(added));
}

/// Reads a TStreamerInfo.
CopiedClasses::Class CopiedClasses::readClass(BigEndianReader& reader, const Tags& tags) {
  Class info;
  (void)readFrame(reader);
  const std::size_t begin = reader.position();
  info.name = readName(reader);
  info.checksum = reader.get<std::uint32_t>();
  info.version = reader.get<std::int32_t>();
  info.head = bytesBetween(reader, begin, reader.position());
  const Tag list = tags.read(reader);
  if (list.kind == Tag::Kind::object && list.className == "TObjArray") {
    const std::uint32_t elements = beginList(reader);
    reader.skip(4); // the lower bound
    for (std::uint32_t k = 0; k < elements; ++k) {
      const Tag element = tags.read(reader);
      if (element.kind != Tag::Kind::object)
        continue;
      info.elements.push_back(
          {std::string(element.className), bytesBetween(reader, reader.position(), element.end)});
      reader.seek(element.end);
    }
  }
  return info;
}

/// Reads the list of rules, each a TObjString.
void CopiedClasses::addRules(BigEndianReader& reader, const Tags& tags) {
  forEachObject(reader, tags, [&](const Tag& tag) {
    if (tag.className != "TObjString")
      return;
    (void)readFrame(reader);
    skipTObject(reader);
    std::string rule(reader.getString());
    if (std::ranges::find(m_rules, rule) == m_rules.end())
      m_rules.push_back(std::move(rule));
  });
}

void CopiedClasses::add(const RootContainer& container) {
  if (!container.streamerInfos())
    return;
  Buffer storage;
  const RecordKey& key = *container.streamerInfos();
  BigEndianReader reader(container.payload(key, storage), container.name() + ": classes");
  const Tags tags(key.keyBytes);
  forEachObject(reader, tags, [&](const Tag& tag) {
    if (tag.className == "TStreamerInfo")
      addClass(readClass(reader, tags));
    else if (tag.className == "TList")
      addRules(reader, tags);
  });
}

void CopiedClasses::put(RootObjectWriter& writer) const {
  for (const Class& info : m_classes)
    putClass(
        writer, [&] { writer.putBytes(info.head); }, info.elements,
        [&](const Element& element) {
          writer.pointTo(element.className, [&] { writer.putBytes(element.bytes); });
        });
  if (m_rules.empty())
    return;
  writer.pointTo("TList", [&] {
    writer.frame(5, [&] {
      writer.putObject();
      writer.putString("listOfRules");
      writer.put(static_cast<std::uint32_t>(m_rules.size()));
      for (const std::string& rule : m_rules) {
        writer.pointTo("TObjString", [&] {
          writer.frame(1, [&] {
            writer.putObject();
            writer.putString(rule);
          });
        });
        writer.put(std::uint8_t{0}); // no option
      }
    });
  });
  writer.put(std::uint8_t{0}); // no option
}

} // namespace kaon::root
