#pragma once

#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/tree/Shape.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kaon::root {

/// Makes shapes of types. They refer to the classes.
class Shapes {
public:
  /// All shapes together have at most so many parts: types in types can become any number.
  Shapes(const Classes& classes, std::size_t mostParts)
      : m_classes(classes), m_mostParts(mostParts) {}

  [[nodiscard]] const Classes& classes() const noexcept { return m_classes; }

  /// What a member of a class holds. All functions throw Error(version) for what is not read.
  [[nodiscard]] Part ofElement(const ElementInfo& element);
  /// What a branch with whole values of a type holds; `version` and `checksum` are a class's.
  [[nodiscard]] Part ofWhole(std::string_view typeName, std::int32_t version,
                             std::uint32_t checksum);

private:
  std::optional<Part> ofNumbers(const ElementInfo& element);
  Part ofObject(const ElementInfo& element);
  Part ofType(std::string_view normalName);
  Shape ofPointer(std::string_view normalName, Shape::Kind kind);
  Part ofClass(std::string_view normalName, const ClassInfo* info);
  bool ofContainer(std::string_view normalName, Part& part);
  bool ofBuiltIn(std::string_view normalName, Part& part);
  Part ofMemberType(std::string_view normalName);
  Shape ofPair(std::string_view first, std::string_view second);
  void addVersions(Shape& record);
  void countPart();

  class Level;
  const Classes& m_classes;
  std::size_t m_mostParts;
  std::size_t m_parts = 0;
  int m_depth = 0;
};

} // namespace kaon::root
