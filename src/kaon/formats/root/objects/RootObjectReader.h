#pragma once

#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/ObjectHeader.h>
#include <kaon/formats/root/objects/Tags.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kaon::root {

struct Object;

/// The value of a member of an object. The type of the member decides which part is set.
struct ElementValue {
  std::int64_t integer = 0; ///< whole numbers; floats rounded towards 0
  std::string_view text;
  std::span<const std::byte> numbers; ///< of an array, as stored in the file
  const Object* object = nullptr;     ///< a base, an object or the target of a pointer
};

/// An object as its class describes it. The object and its texts are valid as long as the bytes it
/// was read from, and the RootObjectReader that read it.
struct Object {
  std::string_view className;
  const ClassInfo* info = nullptr;  ///< Null if built in or not described.
  std::vector<ElementValue> values; ///< For each element of the class.
  std::vector<const Object*> items; ///< Of a list; null for missing objects.
  std::size_t begin = 0, end = 0;   ///< Position in the bytes, if it is stored.
  std::string_view name, title;     ///< Of a TNamed.
  /// Why an object behind a pointer was skipped; empty for objects that were read.
  std::string failure;

  /// Returns a member of the class or its bases, or null if it is missing.
  [[nodiscard]] const ElementValue* find(std::string_view member) const noexcept;
  [[nodiscard]] std::int64_t integer(std::string_view member, std::int64_t otherwise = 0) const;
  [[nodiscard]] std::string_view text(std::string_view member) const;
  /// Returns the items of a list that is stored in the object. A pointer to a list of an earlier
  /// object gives no items, so that no list has several owners.
  [[nodiscard]] std::span<const Object* const> list(std::string_view member) const;
  /// Returns the part of the object with this class, or null if the class is not among its bases.
  [[nodiscard]] const Object* part(std::string_view baseName) const noexcept;
};

/// Reads objects such as trees and their branches by descriptions of their classes. Skips objects
/// of other classes, and objects behind pointers that do not match the description of their class.
class RootObjectReader {
public:
  /// Looks for a class in each of `classes` until one describes it. `bytesBefore` is the size of
  /// the key before the reader's bytes.
  RootObjectReader(std::vector<const Classes*> classes, BigEndianReader reader,
                   std::size_t bytesBefore)
      : m_classes(std::move(classes)), m_reader(std::move(reader)), m_tags(bytesBefore) {}

  /// Reads the object at the reader's position. Throws Error(corrupt). Throws Error(version) if its
  /// class is not described.
  [[nodiscard]] const Object& read(std::string_view className);

private:
  using Number = std::uint32_t;
  Object& add(std::string_view className);
  [[nodiscard]] const ClassInfo* classOf(std::string_view className,
                                         const ObjectHeader& frame) const;
  [[nodiscard]] bool isExhausted() const noexcept;
  void readObject(Object& object, int depth);
  void skipUnreadable(Object& object, int depth);
  void readDescribed(Object& object, int depth);
  bool readBuiltIn(Object& object, int depth);
  void readList(Object& object, int depth);
  ElementValue readValue(const ElementInfo& element, const Object& owner, int depth);
  ElementValue readNumber(const ElementInfo& element);
  ElementValue readNumbers(const ElementInfo& element, const Object& owner);
  ElementValue readArray(const ElementInfo& element, std::uint64_t count, std::size_t width);
  const Object* readPointer(int depth);

  std::vector<const Classes*> m_classes;
  BigEndianReader m_reader;
  Tags m_tags;
  std::deque<Object> m_objects;
  std::unordered_map<Number, const Object*> m_byNumber;
  std::size_t m_values = 0;
  std::size_t m_failures = 0;
};

} // namespace kaon::root
