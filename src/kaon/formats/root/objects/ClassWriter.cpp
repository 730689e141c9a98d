#include <kaon/formats/root/objects/ClassWriter.h>

namespace kaon::root {
namespace {

constexpr std::uint32_t isOnHeap = 0x10000; // as ROOT marks infos

std::int32_t sizeOfElement(std::int32_t type) noexcept {
  switch (type) {
  case charNumber:
  case unsignedCharNumber:
  case boolNumber:
    return 1;
  case shortNumber:
  case unsignedShortNumber:
    return 2;
  case intNumber:
  case unsignedIntNumber:
  case counterNumber:
  case floatNumber:
    return 4;
  default:
    return 8;
  }
}

void putElement(ObjectWriter& writer, const ElementInfo& element) {
  constexpr std::size_t mostDimensions = 5;
  writer.pointTo("TStreamerBasicType", [&] {
    writer.frame(2, [&] {
      writer.frame(4, [&] {
        writer.putNamed(element.name, element.title);
        writer.put(element.type);
        writer.put(sizeOfElement(element.type));
        writer.put(std::uint32_t{0}); // no array
        writer.put(std::uint32_t{0}); // of no dimensions
        writer.putZeros(mostDimensions * sizeof(std::int32_t));
        writer.putString(element.typeName);
      });
    });
  });
}

void putClass(ObjectWriter& writer, const ClassInfo& info) {
  writer.pointTo("TStreamerInfo", [&] {
    writer.frame(9, [&] {
      writer.putNamed(info.name, "", isOnHeap);
      writer.put(info.checksum);
      writer.put(info.version);
      writer.pointTo("TObjArray", [&] {
        writer.frame(3, [&] {
          writer.putObject();
          writer.putString("");
          writer.put(static_cast<std::uint32_t>(info.elements.size()));
          writer.put(std::uint32_t{0}); // the first one's number
          for (const ElementInfo& element : info.elements)
            putElement(writer, element);
        });
      });
    });
  });
}

} // namespace

void putClasses(ObjectWriter& writer, std::span<const ClassInfo> classes) {
  writer.frame(5, [&] {
    writer.putObject();
    writer.putString("");
    writer.put(static_cast<std::uint32_t>(classes.size()));
    for (const ClassInfo& info : classes) {
      putClass(writer, info);
      writer.put(std::uint8_t{0}); // no option
    }
  });
}

} // namespace kaon::root
