#pragma once

#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/NumberLayout.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::root {

struct ShapePart;

/// The layout of values of a type in baskets, and the columns that they become.
struct Shape {
  enum class Kind : std::uint8_t {
    number,     ///< Or a fixed number of numbers.
    bits,       ///< TObject's bits: four bytes, or six.
    bitset,     ///< A count, then as many bools as the extent.
    reference,  ///< TRef, stored as the number of the object.
    references, ///< TRefArray.
    text,       ///< With a length of one or five bytes.
    longText,   ///< With a length of four bytes.
    list,
    pointer, ///< becomes a list of 0 or 1 objects
    pointed, ///< a pointer that becomes an object; zeros if it is null
    record,
    nothing, ///< bytes without a column: TObject
    leftOut, ///< a pointer whose object is not read
    padding, ///< bytes that are skipped, as many as the extent
    skipped  ///< as many values as the extent, which are not read; each has its length in front
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Kind kind = Kind::nothing;
  NumberLayout form;               ///< Of the number, or of the count of a list.
  std::uint32_t extent = 1;        ///< Number, bitset, leftOut, skipped: the length of arrays.
  std::string dimensions;          ///< Arrays of arrays of numbers: "[2][3]"; otherwise empty.
  std::uint32_t length = 0;        ///< List: its fixed length, or 0.
  const ClassInfo* info = nullptr; ///< Record: its class; null for pairs.
  std::vector<ShapePart> parts;    ///< Of a record; otherwise only the elements or the object.
  std::vector<Shape> versions;     ///< Record: layouts of other versions of its class.
  std::uint32_t output = none;     ///< Column of numbers, or of the counts of lists and texts.
  std::uint32_t characters = none; ///< Texts: output of the characters.
};

/// A member of a record, or the elements of a list.
struct ShapePart {
  enum class Wrap : std::uint8_t {
    none,
    once,     ///< One frame around all values of a column: for member collections and strings.
    each,     ///< A frame around each value: objects.
    flag,     ///< A byte that tells whether values follow.
    sized,    ///< A list whose length is another member.
    triangle, ///< A list of n(n+1)/2 numbers; the counter has n.
    clones,   ///< A TClonesArray: a frame for each, which names the class of its objects.
    loop,     ///< Objects that another member counts: one frame around all of a column.
    bytes,    ///< A record whose bytes a user describes.
    framed,   ///< A record as `bytes`, behind a frame.
    prefixed, ///< A list behind a count of the form.
    rest,     ///< A list up to the end of the frame or entry.
    absent    ///< Missing in this version of the class: zeros or empty lists.
  };
  std::string name; ///< "" for elements and bases
  Wrap wrap = Wrap::none;
  bool isBase = false;
  std::string counter;   ///< the member with the length of a list that does not store it
  std::string place;     ///< clones: as in Shapes
  bool isNamed = false;  ///< of an entry: the name of its class comes first
  std::string className; ///< of named entries, and of objects behind pointers
  Shape shape;
};

/// The number of parts that the shapes of a tree may still add. Nested types, and members that
/// other versions of classes lack, could otherwise create any number of parts.
class PartBudget {
public:
  explicit PartBudget(std::size_t most) : m_most(most), m_left(most) {}

  /// Throws Error(version) if too few are left.
  void spend(std::size_t parts = 1);
  /// Whether an attempt to spend failed.
  [[nodiscard]] bool isExhausted() const noexcept { return m_isExhausted; }

private:
  std::size_t m_most, m_left;
  bool m_isExhausted = false;
};

/// Makes a number an array of numbers, or an array of arrays.
void makeArray(Shape& number, std::uint32_t length);

/// Whether the shape is a 32-bit integer, as counters of arrays are.
[[nodiscard]] bool isCounter(const Shape& shape) noexcept;
/// Whether the shape is one integer of any size.
[[nodiscard]] bool isWholeNumber(const Shape& shape) noexcept;

/// Whether values can have no bytes, so that the size of an entry does not limit their number.
[[nodiscard]] bool canBeEmpty(const ShapePart& part) noexcept;

/// Numbers the outputs of a shape's values, beginning with `outputs`, and advances it. Members of
/// other versions of a class share the outputs of members with the same name. Members that a
/// version lacks are added to it as absent parts. Throws Error(version) if there are too many.
void numberOutputs(Shape& shape, std::uint32_t& outputs, PartBudget& budget);

/// Whether values of a version of a class can become the columns of another version. Members with
/// the same name must have the same type.
[[nodiscard]] bool canStandFor(const Shape& version, const Shape& other) noexcept;

} // namespace kaon::root
