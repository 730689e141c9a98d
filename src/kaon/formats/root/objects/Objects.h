#pragma once

#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/Tags.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::root {

struct Object;

/// What a member of an object is; which part of it says something depends on the member's type.
struct Value {
  std::int64_t integer = 0; ///< whole numbers; of floats their whole part
  std::string_view text;
  std::span<const std::byte> numbers; ///< of an array, as they lie in the file
  const Object* object = nullptr;     ///< a base, an object or what a pointer leads to
};

/// An object as its class describes it. It and the texts in it last as long as the bytes it was
/// read from, and the Objects that read it.
struct Object {
  std::string_view className;
  const ClassInfo* info = nullptr;  ///< null: built in, or of a class that nobody describes
  std::vector<Value> values;        ///< of each element of the class
  std::vector<const Object*> items; ///< of a list; null where it has nothing
  std::size_t begin = 0, end = 0;   ///< where it lies in the bytes, if it says so
  std::string_view name, title;     ///< of a TNamed

  /// A member of the class or its bases; null if there is none.
  [[nodiscard]] const Value* find(std::string_view member) const noexcept;
  [[nodiscard]] std::int64_t integer(std::string_view member, std::int64_t otherwise = 0) const;
  [[nodiscard]] std::string_view text(std::string_view member) const;
  /// What is in a list that lies in the object: one list is not that of many.
  [[nodiscard]] std::span<const Object* const> list(std::string_view member) const;
  /// The part of it that is of this class; null if it is of none that has this base.
  [[nodiscard]] const Object* part(std::string_view baseName) const noexcept;
};

/// Reads objects such as trees and their branches, by what the file says of their classes. What it
/// does not describe is passed over.
class Objects {
public:
  /// `bytesBefore` is the size of the key before the reader's bytes.
  Objects(const Classes& classes, BigEndianReader reader, std::size_t bytesBefore)
      : m_classes(classes), m_reader(std::move(reader)), m_tags(bytesBefore) {}

  /// Reads the object at the reader's place. Throws Error(corrupt); Error(version) if its class is
  /// not described.
  [[nodiscard]] const Object& read(std::string_view className);

private:
  using Number = std::uint32_t;
  Object& add(std::string_view className);
  void readObject(Object& object, int depth);
  void readDescribed(Object& object, int depth);
  bool readBuiltIn(Object& object, int depth);
  void readList(Object& object, int depth);
  Value readValue(const ElementInfo& element, const Object& owner, int depth);
  Value readNumber(const ElementInfo& element);
  Value readNumbers(const ElementInfo& element, const Object& owner);
  const Object* readPointer(int depth);

  const Classes& m_classes;
  BigEndianReader m_reader;
  Tags m_tags;
  std::deque<Object> m_objects;
  std::unordered_map<Number, const Object*> m_byNumber;
  std::size_t m_values = 0;
};

} // namespace kaon::root
