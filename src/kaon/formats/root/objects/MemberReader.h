#pragma once

#include <kaon/batch/ObjectStore.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/NumberLayout.h>
#include <kaon/formats/root/objects/ObjectHeader.h>
#include <kaon/formats/root/objects/Tags.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::root {

/// Reads objects of any described class with the values of all their members. Objects reads trees
/// and their branches faster, but keeps few values. For one object.
class MemberReader {
public:
  /// Looks for a class in each of `classes` until one describes it. `bytesBefore` is the size of
  /// the key before the reader's bytes.
  MemberReader(std::vector<const Classes*> classes, BigEndianReader reader, std::size_t bytesBefore)
      : m_classes(std::move(classes)), m_reader(std::move(reader)), m_tags(bytesBefore) {}

  /// Reads the object at the reader's position. An object inside it that cannot be read has a
  /// `failure` if its length is known. Throws Error(corrupt). Throws Error(version) if the class is
  /// not described.
  [[nodiscard]] ObjectTree read(std::string_view className);
  /// Returns the position of each member's value in the reader's bytes, by part and member of the
  /// tree that read() returned. Members without bytes of their own have 0.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& positions() const noexcept {
    return m_positions;
  }

private:
  using Values = std::vector<ObjectValue>;
  /// Objects whose members are read one after another.
  using Parts = std::vector<std::size_t>;

  void countValues(std::size_t count);
  std::size_t addPart(std::string_view className);
  void addMember(std::size_t part, std::string_view owner, std::string_view name, ObjectValue value,
                 std::size_t position = 0);
  [[nodiscard]] const ClassInfo* classOf(std::string_view className,
                                         const ObjectHeader& frame) const;

  ObjectValue readAny(std::string_view className, int depth);
  std::size_t readPart(std::string_view className, int depth);
  void readTolerantly(std::size_t part, std::size_t end, int depth);
  void readMembers(std::size_t part, std::string_view className, int depth);
  bool readBuiltIn(std::size_t part, std::string_view className, int depth);
  void readDescribed(std::size_t part, std::string_view className, int depth);
  void readObject(std::size_t part);
  void readReference(std::size_t part);
  void readNamed(std::size_t part);
  void readList(std::size_t part, std::string_view className, int depth);
  void readMap(std::size_t part, int depth);
  void readClones(std::size_t part, int depth);
  void readSymmetricMatrix(std::size_t part, std::string_view className, int depth);

  void readElement(std::size_t part, const ClassInfo& info, const ElementInfo& element, int depth);
  ObjectValue readValue(std::size_t part, const ElementInfo& element, int depth);
  ObjectValue readPointed(int depth);
  ObjectValue readCounted(std::size_t part, const ElementInfo& element);
  ObjectValue readNumber(const NumberLayout& form);
  ObjectValue readNumbers(const NumberLayout& form, std::uint64_t count);
  template <class Read>
  ObjectValue readEach(std::uint64_t count, Read read);

  ObjectValue readCollection(std::string_view typeName, const ElementInfo* element, int depth);
  ObjectValue readItems(std::string_view typeName, const ElementInfo* element, int depth);
  ObjectValue readItem(std::string_view typeName, int depth);
  Values readMemberWise(std::string_view itemType, int depth);
  void readMembersOfAll(const Parts& parts, const ClassInfo& info, int depth);

  std::vector<const Classes*> m_classes;
  BigEndianReader m_reader;
  Tags m_tags;
  ObjectTree m_tree;
  std::vector<std::vector<std::size_t>> m_positions;         // of values, by part and member
  std::unordered_map<std::uint32_t, std::size_t> m_byNumber; // parts that pointers refer to
  std::size_t m_values = 0;
};

} // namespace kaon::root
