#pragma once

#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/Numbers.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

struct Part;

/// How values of a type lie in baskets, and which columns they become.
struct Shape {
  enum class Kind : std::uint8_t {
    number,     ///< or a fixed number of them
    bits,       ///< TObject's bits: four bytes, or six
    reference,  ///< TRef: of which the number of the object is kept
    references, ///< TRefArray
    text,       ///< with its length in one byte or five
    longText,   ///< with its length in four bytes
    list,
    record,
    nothing ///< bytes that become no column: TObject
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Kind kind = Kind::nothing;
  NumberForm form;
  std::uint32_t extent = 1;        ///< number: values, one after another
  std::uint32_t length = 0;        ///< list: of fixed length, if not 0
  const ClassInfo* info = nullptr; ///< record: its class; null for pairs
  std::vector<Part> parts;         ///< of a record; of a list one: its elements
  std::uint32_t output = none;     ///< of numbers; of lists and texts: that of counts
  std::uint32_t characters = none; ///< of texts: the output of the characters
};

/// A member of a record, or the elements of a list.
struct Part {
  enum class Wrap : std::uint8_t {
    none,
    once, ///< all values of a column have one frame: collections and strings as members
    each, ///< each has a frame: objects
    flag  ///< a byte: whether there are any
  };
  std::string name; ///< empty of elements and bases
  Wrap wrap = Wrap::none;
  bool isBase = false;
  std::string counter; ///< the member that has the length of a list without one of its own
  Shape shape;
};

/// Makes shapes of types. They refer to the classes.
class Shapes {
public:
  explicit Shapes(const Classes& classes) : m_classes(classes) {}

  /// What a member of a class holds. All functions throw Error(version) for what is not read.
  [[nodiscard]] Part ofElement(const ElementInfo& element);
  /// What a branch with whole values of a type holds; `version` and `checksum` are a class's.
  [[nodiscard]] Part ofWhole(std::string_view typeName, std::int32_t version,
                             std::uint32_t checksum);
  /// The values that become columns, `outputs` of them so far, are given their numbers.
  static void number(Shape& shape, std::uint32_t& outputs);

private:
  std::optional<Part> ofNumbers(const ElementInfo& element);
  Part ofObject(const ElementInfo& element);
  Part ofType(std::string_view normalName);
  Part ofClass(std::string_view normalName, const ClassInfo* info);
  bool ofContainer(std::string_view normalName, Part& part);
  bool ofBuiltIn(std::string_view normalName, Part& part);
  Part ofMemberType(std::string_view normalName);
  Shape ofPair(std::string_view first, std::string_view second);
  void countPart();

  const Classes& m_classes;
  int m_depth = 0;
  int m_parts = 0;
};

} // namespace kaon::root
