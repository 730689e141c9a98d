#pragma once

#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/objects/ObjectWriter.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// Descriptions of classes as files store them, to write them to another file without loss.
class StoredClasses {
public:
  /// Adds the classes of a file that are not there yet. Throws Error(corrupt).
  void add(const Container& container);
  [[nodiscard]] bool empty() const noexcept { return m_classes.empty(); }
  [[nodiscard]] bool contains(std::string_view name, std::int32_t version) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return m_classes.size(); }
  /// Writes the classes as items of a list: see putClasses().
  void put(ObjectWriter& writer) const;

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
  void addClass(Class added);

  std::vector<Class> m_classes;
};

} // namespace kaon::root
