#pragma once

#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/tree/Interpretations.h>
#include <kaon/formats/root/tree/Shape.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kaon::root {

/// Creates the shapes of types. They point to the classes.
class Shapes {
public:
  /// `mostParts` limits the number of parts of all shapes together.
  Shapes(const Classes& classes, std::size_t mostParts)
      : m_classes(classes), m_interpretations(interpretations()), m_budget(mostParts) {}

  [[nodiscard]] const Classes& classes() const noexcept { return m_classes; }
  /// The budget for the outputs of the shapes.
  [[nodiscard]] PartBudget& budget() noexcept { return m_budget; }

  /// Sets the class of the objects in a TClonesArray. `place` has the names of its members in the
  /// branch, such as "event.hits". It is "" if the branch has nothing else. Files store the class
  /// beside the values. An empty class means that it is unknown.
  void setClones(const std::string& place, const std::string& className) {
    m_clones.insert_or_assign(place, className);
  }
  /// A member of a class that is left out of a shape: a pointer to an unreadable object.
  struct LeftOut {
    std::string className, reason;
  };
  /// The members that were left out, by place.
  [[nodiscard]] const std::map<std::string, LeftOut>& leftOut() const noexcept { return m_leftOut; }
  /// Forgets classes and left-out members, which belong to one branch.
  void beginBranch() noexcept {
    m_clones.clear();
    m_leftOut.clear();
    m_place.clear();
  }

  /// Returns the part for a member of a class. All functions throw Error(version) for types that
  /// kaon does not read.
  [[nodiscard]] ShapePart ofElement(const ElementInfo& element);
  /// Returns the part for a member of a class, as a user describes it or as the file does.
  [[nodiscard]] ShapePart ofElement(std::string_view className, const ElementInfo& element);
  /// Returns the part for a branch with whole values of a type. `version` and `checksum` are those
  /// of a class.
  [[nodiscard]] ShapePart ofWhole(std::string_view typeName, std::int32_t version,
                                  std::uint32_t checksum);
  /// Returns the part for a branch with objects of a class, of any version.
  [[nodiscard]] ShapePart ofWholeObject(std::string_view className);
  /// Whether a user describes the type.
  [[nodiscard]] bool isInterpreted(std::string_view normalName) const {
    return m_interpretations->contains(normalName);
  }

private:
  std::optional<ShapePart> ofNumbers(const ElementInfo& element);
  ShapePart ofObject(const ElementInfo& element);
  ShapePart ofSingleObject(const ElementInfo& element, std::int32_t type);
  ShapePart ofTarget(std::string_view normalName, std::string_view type, std::string_view reason);
  ShapePart ofType(std::string_view normalName);
  Shape ofPointer(std::string_view normalName, Shape::Kind kind);
  ShapePart ofClass(std::string_view normalName, const ClassInfo* info);
  ShapePart ofClones();
  ShapePart ofMember(const ClassInfo& info, const ElementInfo& element);
  ShapePart ofListElement(std::string_view normalName);
  bool ofContainer(std::string_view normalName, ShapePart& part);
  bool ofBuiltIn(std::string_view normalName, ShapePart& part);
  ShapePart ofMemberType(std::string_view normalName);
  Shape ofPair(std::string_view first, std::string_view second);
  Shape ofSymmetricMatrix(std::string_view normalName);
  bool ofInterpretation(std::string_view normalName, ShapePart& part) const;
  ShapePart ofLoop(const ElementInfo& element);
  void addVersions(Shape& record);

  class Level;
  const Classes& m_classes;
  std::shared_ptr<const Interpretations> m_interpretations;
  PartBudget m_budget;
  int m_depth = 0;
  bool m_isTooDeep = false;                    // whether the last type was in too many others
  std::string m_place;                         // of the member whose shape is being created
  std::map<std::string, std::string> m_clones; // classes by place
  std::map<std::string, LeftOut> m_leftOut;
};

} // namespace kaon::root
