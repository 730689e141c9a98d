#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::root {

class Container;

/// How a member is written (TStreamerElement::fType). To a number type, 20 is added for arrays of
/// fixed length and 40 for arrays with a counter.
enum ElementType : std::int32_t {
  suppressed = -1,
  baseClass = 0,
  charNumber = 1,
  shortNumber = 2,
  intNumber = 3,
  longNumber = 4,
  floatNumber = 5,
  counterNumber = 6,
  charPointer = 7,
  doubleNumber = 8,
  double32Number = 9,
  unsignedCharNumber = 11,
  unsignedShortNumber = 12,
  unsignedIntNumber = 13,
  unsignedLongNumber = 14,
  bitsNumber = 15,
  long64Number = 16,
  unsignedLong64Number = 17,
  boolNumber = 18,
  float16Number = 19,
  fixedArray = 20,
  countedArray = 40,
  object = 61,
  objectAny = 62,
  objectPointerNeverNull = 63,
  objectPointer = 64,
  tString = 65,
  tObject = 66,
  tNamed = 67,
  anyPointerNeverNull = 68,
  anyPointer = 69,
  objectArray = 81,
  objectAnyArray = 82,
  tStringArray = 85,
  collection = 500
};

/// A member or base of a class as the file describes it.
struct ElementInfo {
  std::string name;
  std::string title;    ///< the comment: ranges of numbers, names of counters
  std::string typeName; ///< in its normal spelling
  std::string counter;  ///< of an array: the member that has its length
  std::int32_t type = 0;
  std::uint32_t length = 0; ///< of a fixed array
  std::int32_t baseVersion = 0;
  std::uint32_t baseChecksum = 0; ///< known only of classes that are written
  bool isBase = false;            ///< a base: `name` is its class
  bool isCollection = false;      ///< of the standard library, or a string of it
};

/// One version of a class.
struct ClassInfo {
  std::string name; ///< in its normal spelling
  std::int32_t version = 0;
  std::uint32_t checksum = 0;
  std::vector<ElementInfo> elements;
};

/// The classes that a file describes (its StreamerInfo record). Safe for concurrent use.
class Classes {
public:
  Classes() = default;
  Classes(Classes&&) = default;
  Classes& operator=(Classes&&) = default;
  /// Throws Error(corrupt). None where the file has no such record.
  explicit Classes(const Container& container);
  /// From the payload of that record, whose key has so many bytes. `where` is for messages.
  Classes(std::span<const std::byte> payload, std::size_t keyBytes, const std::string& where);

  /// The class of this name, which must be in its normal spelling: the version asked for, or,
  /// where that is not above 0, the one with this checksum; null if there is none.
  [[nodiscard]] const ClassInfo* find(std::string_view name, std::int32_t version,
                                      std::uint32_t checksum = 0) const noexcept;
  /// The newest version of that class.
  [[nodiscard]] const ClassInfo* newest(std::string_view name) const noexcept;
  /// Adds a class that the file does not describe, if it does not.
  void addMissing(ClassInfo info);

private:
  void index();
  std::vector<ClassInfo> m_all;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> m_byName;
};

} // namespace kaon::root
