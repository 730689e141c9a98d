#pragma once

#include <kaon/batch/ObjectStore.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/RootObjectWriter.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kaon::root {

/// Writes objects in the form that MemberReader reads. Members that an object lacks become 0, empty
/// or null. For one object.
class MemberWriter {
public:
  /// `classes` describe the objects; `where` is for messages.
  MemberWriter(RootObjectWriter& writer, const Classes& classes, const ObjectTree& tree,
               std::string where)
      : m_writer(writer), m_classes(classes), m_tree(tree), m_where(std::move(where)) {}

  /// Writes the object. Throws Error(usage) if its class is not described, or a value does not fit
  /// its member.
  void write();

private:
  using Part = DescribedObject;

  [[nodiscard]] const Part* partIn(const ObjectValue* value) const noexcept;
  [[nodiscard]] const ClassInfo& infoOf(std::string_view className) const;
  void checkMembers(const Part& part) const;
  [[nodiscard]] bool hasMember(std::string_view className, std::string_view member) const;

  void writePart(const Part& part, int depth);
  void writeMembers(const Part& part, std::string_view className, int depth);
  void writeElement(const Part& part, const ElementInfo& element, int depth);
  void writeInside(const ObjectValue* value, std::string_view className, int depth);
  void writeList(const Part& part, std::string_view className, int depth);
  void writePointed(const ObjectValue* value, int depth);
  void writeNumber(const ObjectValue* value, const ElementInfo& element);
  void writeCounted(const Part& part, const ObjectValue* value, const ElementInfo& element);
  void writeArray(const ObjectValue* value, std::string_view className);
  [[noreturn]] void failOf(std::string_view member) const;

  RootObjectWriter& m_writer;
  const Classes& m_classes;
  const ObjectTree& m_tree;
  std::string m_where;
  std::unordered_map<const Part*, std::uint32_t> m_numbers; // of objects behind pointers
};

} // namespace kaon::root
