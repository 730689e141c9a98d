#include <kaon/formats/root/tree/Shape.h>

#include <kaon/base/Error.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <array>

namespace kaon::root {
namespace {

using Kind = Shape::Kind;

/// Returns the part of another version that is the same member or base, or null if it is missing.
const ShapePart* findSame(const std::vector<ShapePart>& parts, const ShapePart& wanted) noexcept {
  const auto isSame = [&](const ShapePart& part) {
    if (part.isBase != wanted.isBase || part.name != wanted.name)
      return false;
    const ClassInfo *const one = part.shape.info, *const other = wanted.shape.info;
    return !part.isBase || (one && other ? one->name == other->name : one == other);
  };
  const auto same = std::ranges::find_if(parts, isSame);
  return same == parts.end() ? nullptr : &*same;
}

/// Returns the number of parts in a part, including itself.
std::size_t partsIn(const ShapePart& part) noexcept {
  std::size_t sum = 1;
  for (const ShapePart& inside : part.shape.parts)
    sum += partsIn(inside);
  for (const Shape& version : part.shape.versions)
    for (const ShapePart& inside : version.parts)
      sum += partsIn(inside);
  return sum;
}

void takeOutputs(Shape& shape, const Shape& from, std::uint32_t& outputs, PartBudget& budget);

/// Gives the members of a record the outputs of another version of its class. Members that only the
/// other version has become absent parts.
void takeMembers(Shape& record, const Shape& from, std::uint32_t& outputs, PartBudget& budget) {
  std::vector<ShapePart> absent;
  for (const ShapePart& part : from.parts)
    if (!findSame(record.parts, part)) {
      budget.spend(partsIn(part));
      absent.push_back(part);
      absent.back().wrap = ShapePart::Wrap::absent;
    }
  for (ShapePart& part : record.parts) {
    if (const ShapePart* const same = findSame(from.parts, part))
      takeOutputs(part.shape, same->shape, outputs, budget);
    else
      numberOutputs(part.shape, outputs, budget); // without a column
  }
  record.parts.insert(record.parts.end(), absent.begin(), absent.end());
}

/// Gives a shape the outputs of another one. Versions that cannot stand for `from`, whose class may
/// have another name, are dropped.
void takeOutputs(Shape& shape, const Shape& from, std::uint32_t& outputs, PartBudget& budget) {
  shape.output = from.output;
  shape.characters = from.characters;
  if (shape.kind == Kind::record)
    takeMembers(shape, from, outputs, budget);
  else
    for (std::size_t i = 0; i < shape.parts.size(); ++i)
      takeOutputs(shape.parts[i].shape, from.parts[i].shape, outputs, budget);
  std::erase_if(shape.versions, [&](const Shape& version) { return !canStandFor(version, from); });
  for (Shape& version : shape.versions)
    takeMembers(version, from, outputs, budget);
}

} // namespace

void makeArray(Shape& number, std::uint32_t length) {
  const std::vector<std::uint32_t> inner = kaon::shapeOf(number.dimensions, number.extent);
  number.dimensions.clear();
  if (!inner.empty())
    number.dimensions = shapeText(std::array{length}) + shapeText(inner);
  number.extent *= length;
}

bool isCounter(const Shape& shape) noexcept {
  return shape.kind == Kind::number && shape.extent == 1 &&
         (shape.form.type == Scalar::Int32 || shape.form.type == Scalar::UInt32);
}

bool isWholeNumber(const Shape& shape) noexcept {
  return shape.kind == Kind::number && shape.extent == 1 && isInteger(shape.form.type);
}

bool canBeEmpty(const ShapePart& part) noexcept {
  using enum ShapePart::Wrap;
  const Shape& shape = part.shape;
  if (part.wrap == each || part.wrap == framed || part.wrap == prefixed)
    return false;
  if (part.wrap == sized || part.wrap == rest)
    return true;
  if (shape.kind == Kind::record)
    return std::ranges::all_of(shape.parts, canBeEmpty);
  if (shape.kind == Kind::list && shape.length > 0)
    return canBeEmpty(shape.parts[0]);
  return shape.kind == Kind::nothing;
}

void PartBudget::spend(std::size_t parts) {
  m_isExhausted = m_isExhausted || parts > m_left;
  if (m_isExhausted)
    fail(ErrorKind::version, "the types of the branches have more than ", m_most, " parts");
  m_left -= parts;
}

void numberOutputs(Shape& shape, std::uint32_t& outputs, PartBudget& budget) {
  switch (shape.kind) {
  case Kind::number:
  case Kind::bits:
  case Kind::bitset:
  case Kind::reference:
  case Kind::list:
  case Kind::pointer:
    shape.output = outputs++;
    break;
  case Kind::text:
  case Kind::longText:
  case Kind::references:
    shape.output = outputs++;
    shape.characters = outputs++;
    break;
  case Kind::pointed:
  case Kind::record:
  case Kind::nothing:
  case Kind::leftOut:
  case Kind::skipped:
  case Kind::padding:
    break;
  }
  for (ShapePart& part : shape.parts)
    numberOutputs(part.shape, outputs, budget);
  for (Shape& version : shape.versions)
    takeMembers(version, shape, outputs, budget);
}

bool canStandFor(const Shape& version, const Shape& other) noexcept {
  if (version.kind == Kind::record && other.kind == Kind::record)
    return std::ranges::all_of(version.parts, [&](const ShapePart& part) {
      const ShapePart* const same = findSame(other.parts, part);
      return !same || canStandFor(part.shape, same->shape);
    });
  const bool isAlike = version.kind == other.kind && version.extent == other.extent &&
                       haveSameShape(version.dimensions, other.dimensions) &&
                       version.length == other.length && version.form.type == other.form.type &&
                       version.parts.size() == other.parts.size();
  for (std::size_t i = 0; isAlike && i < version.parts.size(); ++i)
    if (!canStandFor(version.parts[i].shape, other.parts[i].shape))
      return false;
  return isAlike;
}

} // namespace kaon::root
