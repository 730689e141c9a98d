#pragma once

#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kaon {

struct ObjectValue;

/// Numbers of one type in native byte order.
struct ObjectNumbers {
  Scalar type = Scalar::Float64;
  std::vector<std::byte> bytes;

  [[nodiscard]] std::size_t size() const noexcept { return bytes.size() / sizeOf(type); }
};

/// The number of an object in ObjectTree::parts.
struct ObjectPart {
  std::size_t number = 0;
};

/// A value of a member: nothing (a null pointer), a number, a text, numbers, a list of values, or
/// an object with members of its own.
struct ObjectValue {
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
               ObjectNumbers, std::vector<ObjectValue>, ObjectPart>
      is;
};

/// An object as its class describes it.
struct DescribedObject {
  struct Member {
    std::string owner; ///< the class that has the member: the object's class or a base
    std::string name;
    ObjectValue value;
  };

  std::string type;            ///< the class
  std::vector<Member> members; ///< those of bases come first
  std::string failure;         ///< why the members could not be read; "" if they were read

  /// Returns a member of this name, or null if it is missing. Members of derived classes hide those
  /// of bases.
  [[nodiscard]] const ObjectValue* find(std::string_view name) const noexcept;
};

/// An object and all objects that it points to.
struct ObjectTree {
  ObjectValue root;
  /// Each object once, whatever points to it. Pointers can form circles.
  std::vector<DescribedObject> parts;
};

/// An object of a file that is not a category, such as a histogram.
struct StoredObject {
  std::string name; ///< with folders: "folder/h"; an older version has its cycle behind: "h;1"
  std::string type; ///< the class
  std::string title;
  std::uint64_t bytes = 0; ///< in the file
  bool isNewest = true;    ///< false for older versions of a name
};

/// The objects of a file that are not categories. All functions are thread-safe.
class ObjectStore {
public:
  virtual ~ObjectStore() = default;
  ObjectStore() = default;
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;

  /// Returns the file's path or URL, for messages.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// Returns all objects in the order of the file; the newest version of a name comes first.
  [[nodiscard]] virtual std::vector<StoredObject> objects() const = 0;
  /// Reads an object. Throws Error(name) with a suggestion, Error(corrupt). Throws Error(version)
  /// if the file does not describe the class.
  [[nodiscard]] virtual ObjectTree read(std::string_view name) const = 0;
  /// Returns whether an object holds all its data; others refer to further parts of the file.
  [[nodiscard]] virtual bool isWhole(const StoredObject& /*object*/) const { return true; }
};

} // namespace kaon
