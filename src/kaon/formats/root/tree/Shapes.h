#pragma once

#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/tree/Shape.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kaon::root {

/// Makes shapes of types. They refer to the classes.
class Shapes {
public:
  /// All shapes together have at most so many parts.
  Shapes(const Classes& classes, std::size_t mostParts) : m_classes(classes), m_budget(mostParts) {}

  [[nodiscard]] const Classes& classes() const noexcept { return m_classes; }
  /// For the outputs of the shapes.
  [[nodiscard]] PartBudget& budget() noexcept { return m_budget; }

  /// Of which class the objects in a TClonesArray are, by its place in the branch: the names of
  /// members, "event.hits", "" where the branch holds nothing else. Files say it beside the values.
  /// No class: they do not say it.
  void setClones(const std::string& place, const std::string& className) {
    m_clones.insert_or_assign(place, className);
  }
  /// A member of a class that is left out of a shape: a pointer to an object that cannot be read.
  struct LeftOut {
    std::string className, reason;
  };
  /// By their places.
  [[nodiscard]] const std::map<std::string, LeftOut>& leftOut() const noexcept { return m_leftOut; }
  /// Forgets both: they are another branch's.
  void beginBranch() noexcept {
    m_clones.clear();
    m_leftOut.clear();
    m_place.clear();
  }

  /// What a member of a class holds. All functions throw Error(version) for what is not read.
  [[nodiscard]] Part ofElement(const ElementInfo& element);
  /// What a branch with whole values of a type holds; `version` and `checksum` are a class's.
  [[nodiscard]] Part ofWhole(std::string_view typeName, std::int32_t version,
                             std::uint32_t checksum);
  /// What a branch with objects of a class holds, of whatever version.
  [[nodiscard]] Part ofWholeObject(std::string_view className);

private:
  std::optional<Part> ofNumbers(const ElementInfo& element);
  Part ofObject(const ElementInfo& element);
  Part ofType(std::string_view normalName);
  Shape ofPointer(std::string_view normalName, Shape::Kind kind);
  Part ofClass(std::string_view normalName, const ClassInfo* info);
  Part ofClones();
  Part ofMember(const ClassInfo& info, const ElementInfo& element);
  Part ofListElement(std::string_view normalName);
  bool ofContainer(std::string_view normalName, Part& part);
  bool ofBuiltIn(std::string_view normalName, Part& part);
  Part ofMemberType(std::string_view normalName);
  Shape ofPair(std::string_view first, std::string_view second);
  void addVersions(Shape& record);

  class Level;
  const Classes& m_classes;
  PartBudget m_budget;
  int m_depth = 0;
  std::string m_place;                         // of the member whose shape is being made
  std::map<std::string, std::string> m_clones; // classes by place
  std::map<std::string, LeftOut> m_leftOut;
};

} // namespace kaon::root
