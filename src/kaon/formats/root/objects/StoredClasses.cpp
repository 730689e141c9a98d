#include <kaon/formats/root/objects/StoredClasses.h>

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/Frame.h>
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
  const Frame frame = readFrame(reader);
  skipTObject(reader);
  const std::string_view name = reader.getString();
  endFrame(reader, frame);
  return name;
}

} // namespace

bool StoredClasses::contains(std::string_view name, std::int32_t version) const noexcept {
  return std::ranges::any_of(m_classes, [&](const Class& known) {
    return known.name == name && known.version == version;
  });
}

void StoredClasses::addClass(Class added) {
  const bool isKnown = std::ranges::any_of(m_classes, [&](const Class& known) {
    return known.name == added.name && known.version == added.version &&
           known.checksum == added.checksum;
  });
  if (!isKnown)
    m_classes.push_back(std::move(added));
}

void StoredClasses::add(const Container& container) {
  if (!container.streamerInfos())
    return;
  Buffer storage;
  const Key& key = *container.streamerInfos();
  BigEndianReader reader(container.payload(key, storage), container.name() + ": classes");
  const Tags tags(key.keyBytes);
  (void)readFrame(reader);
  skipTObject(reader);
  (void)reader.getString();
  const auto count = reader.get<std::uint32_t>();
  for (std::uint32_t i = 0; i < count; ++i) {
    const Tag tag = tags.read(reader);
    if (tag.kind == Tag::Kind::object && tag.className == "TStreamerInfo") {
      Class info;
      (void)readFrame(reader);
      const std::size_t begin = reader.position();
      info.name = readName(reader);
      info.checksum = reader.get<std::uint32_t>();
      info.version = reader.get<std::int32_t>();
      info.head = bytesBetween(reader, begin, reader.position());
      const Tag list = tags.read(reader);
      if (list.kind == Tag::Kind::object && list.className == "TObjArray") {
        (void)readFrame(reader);
        skipTObject(reader);
        (void)reader.getString();
        const auto elements = reader.get<std::uint32_t>();
        reader.skip(4); // the lower bound
        for (std::uint32_t k = 0; k < elements; ++k) {
          const Tag element = tags.read(reader);
          if (element.kind != Tag::Kind::object)
            continue;
          info.elements.push_back({std::string(element.className),
                                   bytesBetween(reader, reader.position(), element.end)});
          reader.seek(element.end);
        }
      }
      addClass(std::move(info));
    }
    if (tag.kind == Tag::Kind::object)
      endObject(reader, tag);
    reader.skip(reader.get<std::uint8_t>()); // an option
  }
}

void StoredClasses::put(ObjectWriter& writer) const {
  for (const Class& info : m_classes) {
    writer.pointTo("TStreamerInfo", [&] {
      writer.frame(9, [&] {
        writer.putBytes(info.head);
        writer.pointTo("TObjArray", [&] {
          writer.frame(3, [&] {
            writer.putObject();
            writer.putString("");
            writer.put(static_cast<std::uint32_t>(info.elements.size()));
            writer.put(std::uint32_t{0}); // the lower bound
            for (const Element& element : info.elements)
              writer.pointTo(element.className, [&] { writer.putBytes(element.bytes); });
          });
        });
      });
    });
    writer.put(std::uint8_t{0}); // no option
  }
}

} // namespace kaon::root
