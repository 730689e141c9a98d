#pragma once

#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/objects/RootObjectWriter.h>
#include <kaon/formats/root/objects/Tags.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// Descriptions of classes as files store them, to write them to another file without loss. With
/// them go ROOT's rules for reading older versions of classes.
class CopiedClasses {
public:
  /// Adds the classes of a file that are not there yet. Throws Error(corrupt).
  void add(const RootContainer& container);
  [[nodiscard]] bool empty() const noexcept { return m_classes.empty(); }
  [[nodiscard]] bool contains(std::string_view name, std::int32_t version) const noexcept;
  /// The number of items that put() writes.
  [[nodiscard]] std::size_t size() const noexcept {
    return m_classes.size() + (m_rules.empty() ? 0 : 1);
  }
  /// Writes the classes as items of a list: see putClasses().
  void put(RootObjectWriter& writer) const;

private:
  struct Element {
    std::string className; ///< TStreamerBase, ...
    std::vector<std::byte> bytes;
  };
  struct Class {
    std::string name;
    std::int32_t version = 0;
    std::uint32_t checksum = 0;
    std::vector<std::byte> head; ///< everything before the list of elements
    std::vector<Element> elements;
  };
  [[nodiscard]] static Class readClass(BigEndianReader& reader, const Tags& tags);
  void addClass(Class added);
  void addRules(BigEndianReader& reader, const Tags& tags);

  std::vector<Class> m_classes;
  std::vector<std::string> m_rules;
};

/// Writes a class as an item of a list. `putHead()` writes its name, checksum and version, and
/// `putElement(element)` an element.
template <class PutHead, class Elements, class PutElement>
void putClass(RootObjectWriter& writer, PutHead putHead, const Elements& elements,
              PutElement putElement) {
  writer.pointTo("TStreamerInfo", [&] {
    writer.frame(9, [&] {
      putHead();
      writer.pointTo("TObjArray", [&] {
        writer.frame(3, [&] {
          writer.putObject();
          writer.putString("");
          writer.put(static_cast<std::uint32_t>(elements.size()));
          writer.put(std::uint32_t{0}); // the lower bound
          for (const auto& element : elements)
            putElement(element);
        });
      });
    });
  });
  writer.put(std::uint8_t{0}); // no option
}

} // namespace kaon::root
