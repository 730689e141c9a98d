#include <kaon/formats/root/tree/Shapes.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/objects/TypeName.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

namespace kaon::root {
namespace {

using Kind = Shape::Kind;
using Wrap = ShapePart::Wrap;

constexpr int mostDepth = 32; // of nested types
constexpr std::string_view clonesClass = "TClonesArray", clonesPointer = "TClonesArray*";

ShapePart partOf(Shape shape, Wrap wrap = Wrap::none) {
  ShapePart part;
  part.shape = std::move(shape);
  part.wrap = wrap;
  return part;
}

Shape shapeOf(Kind kind) {
  Shape shape;
  shape.kind = kind;
  return shape;
}

Shape numbersOf(const NumberLayout& form, std::uint32_t extent = 1) {
  Shape shape = shapeOf(Kind::number);
  shape.form = form;
  shape.extent = extent;
  return shape;
}

Shape listOf(ShapePart elements, std::uint32_t length = 0) {
  Shape shape = shapeOf(Kind::list);
  elements.name.clear();
  shape.parts.push_back(std::move(elements));
  shape.length = length;
  return shape;
}

/// Returns the shape of a fixed number of parts in each row. Arrays of numbers become one value.
Shape arrayOf(ShapePart element, std::uint32_t length) {
  constexpr std::uint32_t mostBytes = 1 << 24;
  if (length == 0 || length > mostBytes / 64)
    fail(ErrorKind::version, "an array has ", length, " elements");
  Shape& shape = element.shape;
  if (shape.kind != Kind::number || element.wrap != Wrap::none)
    return listOf(std::move(element), length);
  if (shape.extent > mostBytes / 64 / length)
    fail(ErrorKind::version, "an array has too many elements");
  makeArray(shape, length);
  return std::move(shape);
}

[[noreturn]] void failType(std::string_view name, std::string_view why) {
  fail(ErrorKind::version, "the type '", name, "' ", why);
}

/// Returns the last part of a name: "RVec" for "ROOT::VecOps::RVec".
std::string_view lastName(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

/// Returns the type of a member, or of its elements if it is an array of objects. Arrays of
/// pointers have the type of their elements.
std::int32_t singleTypeOf(const ElementInfo& element) noexcept {
  const bool isArray = element.type >= objectArray && element.type <= anyPointerArray;
  return isArray ? element.type - fixedArray : element.type;
}

/// Returns the part for a member that is not read: pointers, or values with their length in front.
/// Returns nothing to read for other members.
ShapePart skippedPart(const ElementInfo& element) {
  const std::int32_t type = singleTypeOf(element);
  if (element.isCollection || type == streamedMember || type == streamedArray)
    return partOf(shapeOf(Kind::skipped), Wrap::once);
  ShapePart part;
  if (type == objectPointer || type == anyPointer)
    part.shape.kind = Kind::leftOut;
  else if (type == object || type == objectAny || type == objectPointerNeverNull ||
           type == anyPointerNeverNull)
    part.shape.kind = Kind::skipped;
  part.shape.extent = std::max(element.length, std::uint32_t{1});
  return part;
}

/// Whether files describe this collection as if it had no elements.
bool isCollectionOfRoot(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 7> names{
      "TObjArray", "TOrdCollection", "TList", "THashList", "TSortedList", "THashTable", "TMap"};
  return std::ranges::find(names, name) != names.end();
}

bool isSymmetricMatrix(std::string_view normalName) noexcept {
  return normalName.starts_with("TMatrixTSym<") && normalName.ends_with('>');
}

/// Returns the number in an argument of a template, such as "3" or "3ul"; 0 if it is not a number.
std::uint32_t lengthIn(std::string_view argument) noexcept {
  std::uint32_t length = 0;
  std::from_chars(argument.data(), argument.data() + argument.size(), length);
  return length;
}

/// Checks that names of members are unique. They identify members, also in other versions of the
/// class.
void checkMembers(const ClassInfo& info) {
  constexpr std::size_t mostMembers = 10'000;
  if (info.elements.size() > mostMembers)
    failType(info.name, "has more than 10000 members");
  std::set<std::pair<bool, std::string_view>> names;
  for (const ElementInfo& element : info.elements)
    if (!names.emplace(element.isBase, element.name).second)
      failType(info.name, "has two members of one name");
}

} // namespace

/// One level of nested types, for the lifetime of this object.
class Shapes::Level {
public:
  Level(Shapes& shapes, std::string_view normalName) : m_depth(shapes.m_depth) {
    shapes.m_isTooDeep = m_depth == mostDepth;
    if (shapes.m_isTooDeep)
      failType(normalName, "contains itself, or is nested too deeply");
    ++m_depth;
  }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { --m_depth; }

private:
  int& m_depth;
};

ShapePart Shapes::ofElement(std::string_view className, const ElementInfo& element) {
  ShapePart part;
  if (!ofInterpretation(std::string(className) + "." + element.name, part))
    return ofElement(element);
  part.name = element.name;
  return part;
}

ShapePart Shapes::ofElement(const ElementInfo& element) {
  constexpr std::size_t usualName = 64;
  m_budget.spend(1 + element.name.size() / usualName); // names of parts need memory, too
  if (element.isBase) {
    const std::string name = normalTypeName(element.name);
    ShapePart base = ofClass(name, m_classes.find(name, element.baseVersion));
    addVersions(base.shape);
    base.isBase = true;
    if (base.shape.kind == Kind::list) // TArrayF and similar classes
      base.name = "fArray";
    return base;
  }
  std::optional<ShapePart> part = ofNumbers(element);
  if (!part)
    part = ofObject(element);
  part->name = element.name;
  return std::move(*part);
}

/// Returns the part for a member of numbers, or of types that are written like numbers.
std::optional<ShapePart> Shapes::ofNumbers(const ElementInfo& element) {
  const std::int32_t type = element.type;
  if (type == suppressed)
    return partOf(shapeOf(Kind::record)); // without members
  if (type == bitsNumber)
    return partOf(shapeOf(Kind::bits));
  if (type == charPointer)
    return partOf(shapeOf(Kind::longText));
  if (const auto form = formOf(type, element.title))
    return partOf(numbersOf(*form));
  if (type > fixedArray && type < countedArray)
    if (const auto form = formOf(type - fixedArray, element.title)) {
      ShapePart array = partOf(arrayOf(partOf(numbersOf(*form)), element.length));
      array.shape.dimensions = element.dimensions;
      return array;
    }
  if (type <= countedArray || type >= object)
    return std::nullopt;
  const auto form = formOf(type - countedArray, element.title);
  if (!form)
    return std::nullopt;
  const std::uint32_t extent = std::max(element.length, std::uint32_t{1});
  ShapePart part = partOf(listOf(partOf(numbersOf(*form, extent))), Wrap::flag);
  part.counter = element.counter;
  return part;
}

/// Returns the part for a member that is an object, a collection or a text.
ShapePart Shapes::ofObject(const ElementInfo& element) {
  const std::int32_t type = singleTypeOf(element);
  const bool isPointer = type == objectPointer || type == anyPointer;
  if (isPointer && element.length > 0)
    return partOf(arrayOf(partOf(ofPointer(element.typeName, Kind::pointed)), element.length));
  if (type == element.type)
    return ofSingleObject(element, type);
  const bool hasFrame = type == tString || type == tObject || type == tNamed;
  ShapePart array = partOf(arrayOf(ofSingleObject(element, type), element.length));
  array.wrap = hasFrame ? Wrap::once : Wrap::none;
  return array;
}

/// Returns the part for a member that is an object, a collection or a text, but not an array.
ShapePart Shapes::ofSingleObject(const ElementInfo& element, std::int32_t type) {
  if (type == tString)
    return partOf(shapeOf(Kind::text));
  std::string_view name = element.typeName;
  const bool isPointer = type == objectPointerNeverNull || type == anyPointerNeverNull;
  if (isPointer && name.ends_with('*'))
    name.remove_suffix(1);
  if (type == objectAny && isStandardArray(name)) // of a pair without compiled code in ROOT
    return ofListElement(name);
  if (type == object || type == objectAny || type == tObject || type == tNamed || isPointer)
    return ofMemberType(name);
  if (type == objectPointer || type == anyPointer)
    return partOf(ofPointer(name, name == clonesPointer ? Kind::pointed : Kind::pointer));
  if (type == streamedArray && !element.isCollection)
    return ofLoop(element);
  if (!element.isCollection)
    failType(element.typeName, "is written by code of its own");
  name = name.substr(0, name.find('['));
  if (name.ends_with('*')) // pointers to collections are stored like collections
    name.remove_suffix(1);
  ShapePart part = ofType(name);
  if (element.length > 0) {
    part.wrap = Wrap::none;
    part = partOf(listOf(std::move(part), element.length));
  }
  part.wrap = Wrap::once;
  return part;
}

/// Returns the part for an array of objects that another member counts.
ShapePart Shapes::ofLoop(const ElementInfo& element) {
  const std::string_view name = element.typeName;
  const std::size_t pointer = name.find('*');
  if (pointer + 1 != name.size() || element.length > 0)
    failType(name, "is an array of pointers that another member counts");
  ShapePart part = partOf(listOf(ofType(name.substr(0, pointer))), Wrap::loop);
  part.counter = element.counter;
  return part;
}

/// Returns the part for a member of a type.
ShapePart Shapes::ofMemberType(std::string_view normalName) {
  ShapePart part = ofType(normalName);
  if (!isInterpreted(normalName) && normalName != "TString" && !isSymmetricMatrix(normalName) &&
      part.wrap == Wrap::none &&
      (part.shape.kind == Kind::text || partsOfType(normalName).arguments.size() > 0) &&
      part.shape.kind != Kind::number)
    part.wrap = Wrap::once;
  return part;
}

ShapePart Shapes::ofWhole(std::string_view typeName, std::int32_t version, std::uint32_t checksum) {
  const std::string name = normalTypeName(typeName);
  if (ShapePart part; ofInterpretation(name, part))
    return part;
  const ClassInfo* const info = m_classes.find(name, version, checksum);
  if (info && (info->elements.empty() || info->elements.front().name != "This")) {
    ShapePart whole = ofClass(name, info);
    if (whole.shape.kind == Kind::record)
      whole.wrap = Wrap::none; // only the members, without a frame
    return whole;
  }
  return ofMemberType(name);
}

ShapePart Shapes::ofWholeObject(std::string_view className) {
  return ofTarget(normalTypeName(className), className, "is not described by the file");
}

/// Returns the part for an object behind the name of its class. Throws with a reason for other
/// types.
ShapePart Shapes::ofTarget(std::string_view normalName, std::string_view type,
                           std::string_view reason) {
  ShapePart target;
  bool isClass = ofInterpretation(normalName, target);
  if (!isClass && ofBuiltIn(normalName, target)) {
    isClass = normalName != "string" && target.shape.kind != Kind::nothing;
  } else if (!isClass) {
    target = ofType(normalName);
    isClass = target.shape.info || target.wrap == Wrap::clones;
  }
  if (!isClass)
    failType(type, reason);
  target.className = normalName;
  return target;
}

/// Returns the part for a TClonesArray, with the class set for its place. Until the class is known,
/// the objects are empty.
ShapePart Shapes::ofClones() {
  std::string place = m_place;
  const auto known = m_clones.find(place);
  if (known != m_clones.end() && known->second.empty())
    failType(clonesClass, "does not name the class of its objects in its first entries");
  ShapePart objects =
      known == m_clones.end() ? partOf(shapeOf(Kind::nothing)) : ofType(known->second);
  if (known != m_clones.end() && objects.shape.kind == Kind::nothing)
    failType(clonesClass, "holds objects that have no members");
  ShapePart clones = partOf(listOf(std::move(objects)), Wrap::clones);
  clones.place = std::move(place);
  return clones;
}

ShapePart Shapes::ofType(std::string_view normalName) {
  m_budget.spend();
  const Level level(*this, normalName);
  ShapePart part;
  if (const auto number = numberNamed(normalName))
    return partOf(numbersOf(*formOf(*number)));
  if (ofInterpretation(normalName, part))
    return part;
  if (m_classes.isEnum(normalName))
    return partOf(numbersOf(*formOf(intNumber)));
  if (normalName.ends_with('*'))
    return partOf(ofPointer(normalName, Kind::pointed));
  if (ofBuiltIn(normalName, part) || ofContainer(normalName, part))
    return part;
  part = ofClass(normalName, m_classes.newest(normalName));
  addVersions(part.shape);
  return part;
}

/// Returns the shape for a pointer: the object "Hit" for "Hit*".
Shape Shapes::ofPointer(std::string_view normalName, Kind kind) {
  const std::string_view name = normalName.substr(0, normalName.find('*'));
  if (normalName.size() - name.size() > 1)
    failType(normalName, "is a pointer to a pointer");
  Shape shape = shapeOf(kind);
  shape.parts.push_back(
      ofTarget(name, normalName, "is a pointer to a class that the file does not describe"));
  return shape;
}

/// Adds the other versions of a class that the file describes. Versions whose members have other
/// types are left out.
void Shapes::addVersions(Shape& record) {
  if (!record.info)
    return;
  for (const ClassInfo* const info : m_classes.versions(record.info->name))
    if (info != record.info)
      try {
        m_budget.spend();
        Shape version = ofClass(info->name, info).shape;
        if (canStandFor(version, record))
          record.versions.push_back(std::move(version));
      } catch (const Error& error) { // reported when an object of this version is read
        if (error.kind() != ErrorKind::version)
          throw;
      }
}

bool Shapes::ofInterpretation(std::string_view normalName, ShapePart& part) const {
  const auto known = m_interpretations->find(normalName);
  if (known == m_interpretations->end())
    return false;
  part = known->second;
  return true;
}

bool Shapes::ofBuiltIn(std::string_view name, ShapePart& part) {
  constexpr std::pair<std::string_view, std::int32_t> arrays[] = {
      {"TArrayC", charNumber},  {"TArrayS", shortNumber},    {"TArrayI", intNumber},
      {"TArrayL", longNumber},  {"TArrayL64", long64Number}, {"TArrayF", floatNumber},
      {"TArrayD", doubleNumber}};
  if (name == "string" || name == "TString") {
    part = partOf(shapeOf(Kind::text));
  } else if (name == "TObject") {
    part = partOf(shapeOf(Kind::nothing));
  } else if (name == "TNamed") {
    Shape shape = shapeOf(Kind::record);
    shape.parts.push_back(partOf(shapeOf(Kind::nothing)));
    for (const char* const member : {"fName", "fTitle"}) {
      shape.parts.push_back(partOf(shapeOf(Kind::text)));
      shape.parts.back().name = member;
    }
    part = partOf(std::move(shape), Wrap::each);
  } else if (name == "TRef") {
    part = partOf(shapeOf(Kind::reference));
  } else if (name == "TRefArray") {
    part = partOf(shapeOf(Kind::references));
  } else if (name == "TDatime") {
    part = partOf(numbersOf(*formOf(unsignedIntNumber)));
  } else if (isSymmetricMatrix(name)) {
    part = partOf(ofSymmetricMatrix(name));
  } else {
    const auto* const array =
        std::ranges::find(arrays, name, &std::pair<std::string_view, std::int32_t>::first);
    if (array == std::end(arrays))
      return false;
    part = partOf(listOf(partOf(numbersOf(*formOf(array->second)))));
  }
  return true;
}

/// Returns the shape for TMatrixTSym. Its own code writes only the upper right triangle, row by
/// row.
Shape Shapes::ofSymmetricMatrix(std::string_view normalName) {
  const std::string_view number = partsOfType(normalName).arguments.at(0);
  const auto type = numberNamed(number);
  if (!type)
    failType(normalName, "has no numbers");
  Shape shape = shapeOf(Kind::record);
  ShapePart base = ofType("TMatrixTBase<" + std::string(number) + ">");
  base.isBase = true;
  shape.parts.push_back(std::move(base));
  ShapePart elements = partOf(listOf(partOf(numbersOf(*formOf(*type)))), Wrap::triangle);
  elements.name = "fElements";
  elements.counter = "fNrows";
  shape.parts.push_back(std::move(elements));
  return shape;
}

bool Shapes::ofContainer(std::string_view normalName, ShapePart& part) {
  constexpr std::array lists{"vector",   "list",         "deque",         "set",
                             "multiset", "forward_list", "unordered_set", "unordered_multiset",
                             "RVec"};
  constexpr std::array maps{"map", "multimap", "unordered_map", "unordered_multimap"};
  const auto [full, arguments] = partsOfType(normalName);
  const std::string_view name = lastName(full);
  if (arguments.empty())
    return false;
  if (std::ranges::find(lists, name) != lists.end()) {
    part = partOf(listOf(ofListElement(arguments[0])));
  } else if (std::ranges::find(maps, name) != maps.end() && arguments.size() >= 2) {
    part = partOf(listOf(partOf(ofPair(arguments[0], arguments[1]))));
  } else if (name == "pair" && arguments.size() == 2) {
    part = partOf(ofPair(arguments[0], arguments[1]), Wrap::each);
  } else if (name == "array" && arguments.size() == 2) {
    part = partOf(arrayOf(ofType(arguments[0]), lengthIn(arguments[1])));
  } else if (name == "bitset" && arguments.size() == 1) {
    part = partOf(arrayOf(partOf(numbersOf(*formOf(boolNumber))), lengthIn(arguments[0])));
    part.shape.kind = Kind::bitset;
  } else {
    return false;
  }
  return true;
}

/// Returns the part for an element of a list. Arrays are stored as objects there; kaon drops the
/// name of their only member.
ShapePart Shapes::ofListElement(std::string_view normalName) {
  if (!isStandardArray(normalName))
    return ofType(normalName);
  ShapePart array = ofClass(normalName, nullptr);
  for (ShapePart& member : array.shape.parts)
    member.name.clear();
  return array;
}

Shape Shapes::ofPair(std::string_view first, std::string_view second) {
  Shape shape = shapeOf(Kind::record);
  const std::string name = "pair<" + std::string(first) + "," + std::string(second) + ">";
  const ClassInfo* const info = m_classes.newest(name);
  for (const std::string_view type : {first, second}) {
    const std::size_t number = shape.parts.size();
    // In pairs without compiled code in ROOT, arrays are stored as objects, as in lists.
    const bool isObject =
        info && number < info->elements.size() && info->elements[number].type == objectAny;
    shape.parts.push_back(isObject && isStandardArray(type) ? ofListElement(type)
                                                            : ofMemberType(type));
    shape.parts.back().name = number == 0 ? "first" : "second";
  }
  return shape;
}

/// Returns the part for a member. Unreadable members are left out if their size is stored.
ShapePart Shapes::ofMember(const ClassInfo& info, const ElementInfo& element) {
  const std::string outer = m_place;
  if (!element.isBase)
    m_place += (outer.empty() ? "" : ".") + element.name;
  ShapePart member = skippedPart(element);
  try {
    member = ofElement(info.name, element);
  } catch (const Error& error) {
    const bool isSkippable =
        member.shape.kind == Kind::leftOut || (member.shape.kind == Kind::skipped && !m_isTooDeep);
    if (!isSkippable || m_budget.isExhausted() || error.kind() != ErrorKind::version)
      throw;
    m_leftOut.try_emplace(m_place, LeftOut{info.name, error.what()});
  }
  m_place = outer;
  return member;
}

ShapePart Shapes::ofClass(std::string_view normalName, const ClassInfo* info) {
  ShapePart known;
  if (ofInterpretation(normalName, known) || ofBuiltIn(normalName, known))
    return known;
  if (normalName == clonesClass)
    return ofClones();
  if (isCollectionOfRoot(normalName))
    failType(normalName,
             "is written by code of its own, which does not name the class of its objects");
  if (!info)
    info = m_classes.newest(normalName);
  if (!info)
    failType(normalName, "is not described by the file");
  const Level level(*this, normalName);
  checkMembers(*info);
  Shape shape = shapeOf(Kind::record);
  shape.info = info;
  for (const ElementInfo& element : info->elements) {
    if (element.name == "This")
      failType(normalName, "is a special collection, and the file does not describe its elements");
    shape.parts.push_back(ofMember(*info, element));
  }
  return partOf(std::move(shape), Wrap::each);
}

} // namespace kaon::root
