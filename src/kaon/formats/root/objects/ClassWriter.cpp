#include <kaon/formats/root/objects/ClassWriter.h>

#include <algorithm>
#include <string>

namespace kaon::root {
namespace {

constexpr std::uint32_t isOnHeap = 0x10000; // the bit that ROOT sets in these objects

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
  case bitsNumber:
    return 4;
  case tString:
    return 24;
  default:
    return 8;
  }
}

/// The class that describes a member of this type, and its version.
struct ElementClass {
  std::string_view name;
  std::uint16_t version = 2;
};

ElementClass classOf(const ElementInfo& element) noexcept {
  if (element.isBase)
    return {"TStreamerBase", 3};
  if (!element.counter.empty())
    return {"TStreamerBasicPointer"};
  switch (element.type) {
  case object:
    return {"TStreamerObject"};
  case objectAny:
    return {"TStreamerObjectAny"};
  case objectPointer:
  case objectPointerNeverNull:
    return {"TStreamerObjectPointer"};
  case tString:
    return {"TStreamerString"};
  default:
    return {"TStreamerBasicType"};
  }
}

/// Writes the member with an array's length, and its class: the array's class, or else its base.
void putCounter(RootObjectWriter& writer, const ClassInfo& of, const std::string& counter) {
  const auto isHere = [&](const ElementInfo& element) { return element.name == counter; };
  const bool isInherited = std::ranges::none_of(of.elements, isHere);
  writer.put(isInherited ? of.elements.front().baseVersion : of.version);
  writer.putString(counter);
  writer.putString(isInherited ? of.elements.front().name : of.name);
}

void putElement(RootObjectWriter& writer, const ClassInfo& of, const ElementInfo& element) {
  constexpr std::size_t numbersBehind = 3; // of the five extents of an array
  const ElementClass className = classOf(element);
  writer.pointTo(className.name, [&] {
    writer.frame(className.version, [&] {
      writer.frame(4, [&] {
        writer.putNamed(element.name, element.title);
        writer.put(element.type);
        writer.put(element.isBase ? std::int32_t{0} : sizeOfElement(element.type));
        writer.put(std::uint32_t{0}); // no array
        writer.put(std::uint32_t{0}); // no dimensions
        writer.put(std::uint32_t{0});
        writer.put(element.baseChecksum);
        writer.putZeros(numbersBehind * sizeof(std::int32_t));
        writer.putString(element.typeName);
      });
      if (element.isBase)
        writer.put(element.baseVersion);
      if (!element.counter.empty())
        putCounter(writer, of, element.counter);
    });
  });
}

} // namespace

void putClasses(RootObjectWriter& writer, std::span<const ClassInfo> classes,
                const CopiedClasses& stored) {
  writer.frame(5, [&] {
    writer.putObject();
    writer.putString("");
    writer.put(static_cast<std::uint32_t>(classes.size() + stored.size()));
    for (const ClassInfo& info : classes) {
      const auto putHead = [&] {
        writer.putNamed(info.name, "", isOnHeap);
        writer.put(info.checksum);
        writer.put(info.version);
      };
      putClass(writer, putHead, info.elements,
               [&](const ElementInfo& element) { putElement(writer, info, element); });
    }
    stored.put(writer);
  });
}

} // namespace kaon::root
