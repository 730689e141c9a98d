#pragma once

#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/Numbers.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::root {

struct Part;

/// How values of a type lie in baskets, and which columns they become.
struct Shape {
  enum class Kind : std::uint8_t {
    number,     ///< or a fixed number of them
    bits,       ///< TObject's bits: four bytes, or six
    bitset,     ///< as many bools as the extent, behind their number
    reference,  ///< TRef: of which the number of the object is kept
    references, ///< TRefArray
    text,       ///< with its length in one byte or five
    longText,   ///< with its length in four bytes
    list,
    pointer, ///< to no or one object: a list of it
    pointed, ///< an object that a pointer leads to, of zeros where it leads to none
    record,
    nothing, ///< bytes that become no column: TObject
    leftOut  ///< a pointer, and the object behind it, which is not read
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Kind kind = Kind::nothing;
  NumberForm form;
  std::uint32_t extent = 1;        ///< number, bitset: values, one after another
  std::uint32_t length = 0;        ///< list: of fixed length, if not 0
  const ClassInfo* info = nullptr; ///< record: its class; null for pairs
  std::vector<Part> parts;         ///< of a record; else one: the elements, the object
  std::vector<Shape> versions;     ///< record: as other versions of its class lie
  std::uint32_t output = none;     ///< of numbers; of lists and texts: that of counts
  std::uint32_t characters = none; ///< of texts: the output of the characters
};

/// A member of a record, or the elements of a list.
struct Part {
  enum class Wrap : std::uint8_t {
    none,
    once,   ///< all values of a column have one frame: collections and strings as members
    each,   ///< each has a frame: objects
    flag,   ///< a byte: whether there are any
    clones, ///< a TClonesArray: each has a frame, which says of which class its objects are
    absent  ///< this version of the class has none: they are zeros, lists are empty
  };
  std::string name; ///< empty of elements and bases
  Wrap wrap = Wrap::none;
  bool isBase = false;
  std::string counter;  ///< the member that has the length of a list without one of its own
  std::string place;    ///< clones: as in Shapes
  bool isNamed = false; ///< of an entry: the name of its class comes first
  Shape shape;
};

/// How many parts the shapes of a tree may yet have: types in types, and members that versions of
/// classes do not have, can become any number.
class PartBudget {
public:
  explicit PartBudget(std::size_t most) : m_most(most), m_left(most) {}

  /// Throws Error(version) if there are not so many left.
  void spend(std::size_t parts = 1);

private:
  std::size_t m_most, m_left;
};

/// Whether it is a whole number of 32 bits, as counters of arrays are.
[[nodiscard]] bool isCounter(const Shape& shape) noexcept;

/// Gives the values of a shape that become columns their outputs, from `outputs` on, which counts
/// them. Members of other versions of a class have those of the members of the same names; those
/// that a version does not have become parts of it. Throws Error(version) for too many.
void numberOutputs(Shape& shape, std::uint32_t& outputs, PartBudget& budget);

/// Whether values of a version of a class can become the columns of another one: members of one
/// name must be of one type.
[[nodiscard]] bool canStandFor(const Shape& version, const Shape& other) noexcept;

} // namespace kaon::root
