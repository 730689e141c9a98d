#pragma once

#include <kaon/formats/root/objects/ElementType.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kaon::root {

class RootContainer;

/// A member or base of a class as the file describes it.
struct ElementInfo {
  std::string name;
  std::string title;    ///< the comment: ranges of numbers, names of counters
  std::string typeName; ///< in its normal spelling
  std::string counter;  ///< arrays only: the member with the length
  std::int32_t type = 0;
  std::int32_t elementType = 0; ///< collections only: how elements are written, if known
  std::uint32_t length = 0;     ///< of a fixed array
  std::string dimensions = {};  ///< of an array of arrays: "[2][3]"; otherwise empty
  std::int32_t baseVersion = 0;
  std::uint32_t baseChecksum = 0; ///< known only of classes that are written
  bool isBase = false;            ///< a base: `name` is its class
  bool isCollection = false;      ///< of the standard library, or a string
};

/// One version of a class.
struct ClassInfo {
  std::string name; ///< in its normal spelling
  std::int32_t version = 0;
  std::uint32_t checksum = 0;
  std::vector<ElementInfo> elements;
};

/// Classes, usually those that a file describes in its StreamerInfo record. Thread-safe.
class Classes {
public:
  Classes() = default;
  Classes(Classes&&) = default;
  Classes& operator=(Classes&&) = default;
  /// Reads the classes of a file. Empty if the file has no StreamerInfo record. Throws
  /// Error(corrupt).
  explicit Classes(const RootContainer& container);
  /// Reads the classes from the payload of that record. `keyBytes` is the size of its key. `where`
  /// is for messages.
  Classes(std::span<const std::byte> payload, std::size_t keyBytes, const std::string& where);
  /// Has these classes, without enums.
  explicit Classes(std::vector<ClassInfo> infos);

  /// Returns the class with a name in normal spelling. It has the requested version, or this
  /// checksum if `version` is not above 0. Returns null if it is missing.
  [[nodiscard]] const ClassInfo* find(std::string_view name, std::int32_t version,
                                      std::uint32_t checksum = 0) const noexcept;
  /// Returns the newest version of a class.
  [[nodiscard]] const ClassInfo* newest(std::string_view name) const noexcept;
  /// Returns all versions of a class that the file describes.
  [[nodiscard]] std::span<const ClassInfo* const> versions(std::string_view name) const noexcept;
  /// Whether the name is an enum's, judging by members or elements of that type.
  [[nodiscard]] bool isEnum(std::string_view name) const noexcept { return m_enums.contains(name); }

private:
  void add(ClassInfo info);
  void noteEnum(const ElementInfo& element);
  std::deque<ClassInfo> m_all; // a deque, so that pointers stay valid
  std::unordered_map<std::string_view, std::vector<const ClassInfo*>> m_byName;
  std::map<std::pair<std::string_view, std::int32_t>, const ClassInfo*> m_byVersion;
  std::map<std::pair<std::string_view, std::uint32_t>, const ClassInfo*> m_byChecksum;
  std::set<std::string, std::less<>> m_enums;
};

} // namespace kaon::root
