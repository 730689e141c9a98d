#include <kaon/formats/root/objects/MemberReader.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/LoadAs.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/objects/TypeName.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <utility>

namespace kaon::root {
namespace {

constexpr int deepest = 100; // of nested objects
// Objects can have this number of values, however few bytes they have.
constexpr std::size_t freeValues = 4'096;

template <class T>
ObjectValue valueOf(T value) {
  return {.is = std::move(value)};
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) noexcept {
  return std::ranges::find(names, name) != names.end();
}

bool isListClass(std::string_view className) noexcept {
  return isOneOf(className, {"TList", "THashList", "TObjArray"});
}

/// Returns the numbers of TArrayI and similar classes.
std::optional<NumberLayout> numbersOfArray(std::string_view className) {
  constexpr std::array<std::pair<std::string_view, ElementType>, 7> arrays{
      {{"TArrayC", charNumber},
       {"TArrayS", shortNumber},
       {"TArrayI", intNumber},
       {"TArrayL", longNumber},
       {"TArrayL64", long64Number},
       {"TArrayF", floatNumber},
       {"TArrayD", doubleNumber}}};
  const auto* const array =
      std::ranges::find(arrays, className, &std::pair<std::string_view, ElementType>::first);
  return array == arrays.end() ? std::nullopt : formOf(array->second);
}

bool isText(std::string_view typeName) noexcept {
  return isOneOf(typeName, {"string", "basic_string<char>"});
}

/// Whether the type is a list or map of the standard library.
bool isContainer(std::string_view typeName) {
  const TypeParts type = partsOfType(typeName);
  return !type.arguments.empty() &&
         isOneOf(type.name, {"vector", "list", "deque", "set", "multiset", "forward_list",
                             "unordered_set", "unordered_multiset", "ROOT::VecOps::RVec", "map",
                             "multimap", "unordered_map", "unordered_multimap"});
}

bool isMap(std::string_view name) noexcept {
  return isOneOf(name, {"map", "multimap", "unordered_map", "unordered_multimap"});
}

/// Returns the type of a container's items; those of maps are pairs.
std::string itemOf(std::string_view typeName) {
  const TypeParts type = partsOfType(typeName);
  if (!isMap(type.name) || type.arguments.size() < 2)
    return std::string(type.arguments[0]);
  return "pair<" + std::string(type.arguments[0]) + "," + std::string(type.arguments[1]) + ">";
}

/// A pair as a class, for files that do not describe it.
ClassInfo pairOf(std::string_view typeName) {
  const TypeParts type = partsOfType(typeName);
  ClassInfo info{std::string(typeName), 0, 0, {}};
  constexpr std::array names{"first", "second"};
  for (std::size_t i = 0; i < names.size() && i < type.arguments.size(); ++i) {
    ElementInfo& element = info.elements.emplace_back();
    element.name = names[i];
    element.typeName = type.arguments[i];
    element.isCollection = isText(element.typeName) || isContainer(element.typeName);
    const auto number = numberNamed(element.typeName);
    element.type = number                            ? *number
                   : element.isCollection            ? collection
                   : element.typeName == "TString"   ? tString
                   : element.typeName.ends_with('*') ? anyPointer
                                                     : objectAny;
  }
  return info;
}

std::optional<std::int64_t> wholeNumber(const ObjectValue* value) noexcept {
  if (value)
    if (const auto* const number = std::get_if<std::int64_t>(&value->is))
      return *number;
  if (value)
    if (const auto* const number = std::get_if<std::uint64_t>(&value->is))
      return static_cast<std::int64_t>(*number);
  return std::nullopt;
}

ObjectValue numberAt(Scalar type, const std::byte* bytes) {
  switch (type) {
  case Scalar::Bool:
    return valueOf(bytes[0] != std::byte{0});
  case Scalar::Int8:
    return valueOf(std::int64_t{detail::loadAs<std::int8_t>(bytes)});
  case Scalar::Int16:
    return valueOf(std::int64_t{detail::loadAs<std::int16_t>(bytes)});
  case Scalar::Int32:
    return valueOf(std::int64_t{detail::loadAs<std::int32_t>(bytes)});
  case Scalar::Int64:
    return valueOf(detail::loadAs<std::int64_t>(bytes));
  case Scalar::UInt8:
    return valueOf(std::uint64_t{detail::loadAs<std::uint8_t>(bytes)});
  case Scalar::UInt16:
    return valueOf(std::uint64_t{detail::loadAs<std::uint16_t>(bytes)});
  case Scalar::UInt32:
    return valueOf(std::uint64_t{detail::loadAs<std::uint32_t>(bytes)});
  case Scalar::UInt64:
    return valueOf(detail::loadAs<std::uint64_t>(bytes));
  case Scalar::Float32:
    return valueOf(double{detail::loadAs<float>(bytes)});
  default:
    return valueOf(detail::loadAs<double>(bytes));
  }
}

/// Returns the type of an element's numbers. For arrays, this is the type of one number.
std::int32_t numberTypeOf(const ElementInfo& element) noexcept {
  if (element.type == bitsNumber)
    return unsignedIntNumber;
  return element.type < object ? element.type % fixedArray : 0;
}

} // namespace

ObjectTree MemberReader::read(std::string_view className) {
  m_tree.root = readAny(normalTypeName(className), 0);
  return std::move(m_tree);
}

/// Limits the memory of hostile files: few values have less than a byte.
void MemberReader::countValues(std::size_t count) {
  m_values += count;
  if (m_values > freeValues + 4 * m_reader.bytes().size())
    m_reader.failHere("there are more values than there is room for; the file is damaged");
}

std::size_t MemberReader::addPart(std::string_view className) {
  countValues(1);
  m_tree.parts.push_back({std::string(className), {}, {}});
  m_positions.emplace_back();
  return m_tree.parts.size() - 1;
}

void MemberReader::addMember(std::size_t part, std::string_view owner, std::string_view name,
                             ObjectValue value, std::size_t position) {
  countValues(1);
  m_positions[part].push_back(position);
  m_tree.parts[part].members.push_back({std::string(owner), std::string(name), std::move(value)});
}

const ClassInfo* MemberReader::classOf(std::string_view className,
                                       const ObjectHeader& frame) const {
  for (const Classes* const classes : m_classes)
    if (const ClassInfo* const info = classes->find(className, frame.version, frame.checksum))
      return info;
  return nullptr;
}

/// Reads an object, or a value of a type that has no members.
ObjectValue MemberReader::readAny(std::string_view className, int depth) {
  if (depth > deepest)
    m_reader.failHere("objects lie in more than 100 others");
  if (className == "TString")
    return valueOf(std::string(m_reader.getString()));
  if (className == "TDatime")
    return valueOf(std::uint64_t{m_reader.get<std::uint32_t>()});
  if (const auto numbers = numbersOfArray(className); numbers && depth > 0)
    return readNumbers(*numbers, m_reader.get<std::uint32_t>());
  if (isText(className) || isContainer(className)) // a record of its own has no frame
    return depth == 0 ? readItems(className, nullptr, depth)
                      : readCollection(className, nullptr, depth);
  return valueOf(ObjectPart{readPart(className, depth)});
}

std::size_t MemberReader::readPart(std::string_view className, int depth) {
  const std::size_t part = addPart(className);
  readMembers(part, className, depth);
  return part;
}

/// Reads an object whose end is known. Notes why it could not be read.
void MemberReader::readTolerantly(std::size_t part, std::size_t end, int depth) {
  const std::string className = m_tree.parts[part].type;
  try {
    readMembers(part, className, depth);
    if (m_reader.position() > end)
      m_reader.failHere("an object of the class '" + className + "' ends behind its last byte");
  } catch (const Error& error) {
    countValues(0); // throws if there were too many
    m_positions[part].clear();
    m_tree.parts[part].members.clear();
    m_tree.parts[part].failure = error.what();
  }
  m_reader.seek(end);
}

/// Reads the members of a class into an object. The class is the object's class or one of its
/// bases.
void MemberReader::readMembers(std::size_t part, std::string_view className, int depth) {
  if (depth > deepest)
    m_reader.failHere("objects lie in more than 100 others");
  if (!readBuiltIn(part, className, depth))
    readDescribed(part, className, depth);
}

/// Reads objects of classes whose bytes differ from their description in files. Returns false for
/// other classes.
bool MemberReader::readBuiltIn(std::size_t part, std::string_view className, int depth) {
  if (className == "TObject") {
    readObject(part);
  } else if (className == "TRef") {
    readReference(part);
  } else if (className == "TNamed") {
    readNamed(part);
  } else if (isListClass(className)) {
    readList(part, className, depth);
  } else if (className == "TMap") {
    readMap(part, depth);
  } else if (className == "TClonesArray") {
    readClones(part, depth);
  } else if (className.starts_with("TMatrixTSym<")) {
    readSymmetricMatrix(part, className, depth);
  } else if (const auto numbers = numbersOfArray(className)) {
    const std::size_t position = m_reader.position();
    ObjectValue value = readNumbers(*numbers, m_reader.get<std::uint32_t>());
    addMember(part, className, "fArray", std::move(value), position);
  } else {
    return false;
  }
  return true;
}

void MemberReader::readObject(std::size_t part) {
  constexpr std::uint32_t isReferenced = 0x10;
  m_reader.skip(2); // the version
  const auto uniqueId = m_reader.get<std::uint32_t>();
  const auto bits = m_reader.get<std::uint32_t>();
  m_reader.skip((bits & isReferenced) != 0 ? 2 : 0);
  addMember(part, "TObject", "fUniqueID", valueOf(std::uint64_t{uniqueId}));
  addMember(part, "TObject", "fBits", valueOf(std::uint64_t{bits}));
}

/// Reads a TRef: a TObject, whose number is that of the target, and the number of a process.
void MemberReader::readReference(std::size_t part) {
  m_reader.skip(2); // the version
  addMember(part, "TObject", "fUniqueID", valueOf(std::uint64_t{m_reader.get<std::uint32_t>()}));
  addMember(part, "TObject", "fBits", valueOf(std::uint64_t{m_reader.get<std::uint32_t>()}));
  addMember(part, "TRef", "fPID", valueOf(std::uint64_t{m_reader.get<std::uint16_t>()}));
}

void MemberReader::readNamed(std::size_t part) {
  const ObjectHeader frame = readFrame(m_reader);
  readObject(part);
  addMember(part, "TNamed", "fName", valueOf(std::string(m_reader.getString())));
  addMember(part, "TNamed", "fTitle", valueOf(std::string(m_reader.getString())));
  endFrame(m_reader, frame);
}

void MemberReader::readList(std::size_t part, std::string_view className, int depth) {
  const ObjectHeader frame = readFrame(m_reader);
  const bool isArray = className == "TObjArray";
  const bool isOld = frame.version < (isArray ? 3 : 4);
  if (!isOld)
    readObject(part);
  if (frame.version > 1)
    addMember(part, className, "fName", valueOf(std::string(m_reader.getString())));
  const auto count = m_reader.get<std::uint32_t>();
  if (isArray)
    m_reader.skip(4); // the lower bound
  ObjectValue items = readEach(count, [&] {
    ObjectValue item = readPointed(depth + 1);
    if (!isArray && !isOld)
      m_reader.skip(m_reader.get<std::uint8_t>()); // an option
    return item;
  });
  addMember(part, className, "items", std::move(items));
  endWholeFrame(m_reader, frame);
}

void MemberReader::readMap(std::size_t part, int depth) {
  const ObjectHeader frame = readFrame(m_reader);
  if (frame.version > 2)
    readObject(part);
  if (frame.version > 1)
    addMember(part, "TMap", "fName", valueOf(std::string(m_reader.getString())));
  ObjectValue items = readEach(m_reader.get<std::uint32_t>(), [&] {
    Values pair;
    pair.push_back(readPointed(depth + 1));
    pair.push_back(readPointed(depth + 1));
    return valueOf(std::move(pair));
  });
  addMember(part, "TMap", "items", std::move(items));
  endWholeFrame(m_reader, frame);
}

/// Reads a TClonesArray. Its objects follow member by member, or each behind a byte that is 0 for
/// missing objects.
void MemberReader::readClones(std::size_t part, int depth) {
  constexpr std::uint64_t memberByMember = 0x1000; // one of TObject's bits
  const ObjectHeader frame = readFrame(m_reader);
  if (!frame.end || frame.version < 3)
    m_reader.failHere("a TClonesArray of a version that is not known");
  readObject(part);
  const ObjectValue* const bits = m_tree.parts[part].find("fBits");
  const bool isMemberWise = (std::get<std::uint64_t>(bits->is) & memberByMember) != 0;
  addMember(part, "TClonesArray", "fName", valueOf(std::string(m_reader.getString())));
  const std::string_view text = m_reader.getString(); // "Hit;2"
  const std::string className = normalTypeName(text.substr(0, text.find(';')));
  ObjectHeader itemFrame;
  if (const std::size_t mark = text.find(';'); mark != std::string_view::npos)
    std::from_chars(text.data() + mark + 1, text.data() + text.size(), itemFrame.version);
  const auto count = m_reader.get<std::uint32_t>();
  m_reader.skip(4); // the lower bound
  if (!isMemberWise) {
    ObjectValue items = readEach(count, [&] {
      return m_reader.get<std::uint8_t>() == 0 ? ObjectValue{} : readAny(className, depth + 1);
    });
    addMember(part, "TClonesArray", "items", std::move(items));
    return endWholeFrame(m_reader, frame);
  }
  const ClassInfo* const info = classOf(className, itemFrame);
  if (!info)
    fail(ErrorKind::version, m_reader.where(), ": the file does not describe version ",
         itemFrame.version, " of the class '", className, "'");
  countValues(count);
  Parts parts;
  Values items;
  for (std::uint32_t i = 0; i < count; ++i) {
    parts.push_back(addPart(className));
    items.push_back(valueOf(ObjectPart{parts.back()}));
  }
  readMembersOfAll(parts, *info, depth + 1);
  addMember(part, "TClonesArray", "items", valueOf(std::move(items)));
  endWholeFrame(m_reader, frame);
}

/// Reads a TMatrixTSym and adds all its numbers. Files store only the upper right triangle.
void MemberReader::readSymmetricMatrix(std::size_t part, std::string_view className, int depth) {
  const TypeParts type = partsOfType(className);
  const auto number = numberNamed(type.arguments.empty() ? std::string_view() : type.arguments[0]);
  const auto form = number ? formOf(*number) : std::nullopt;
  if (!form || (form->type != Scalar::Float64 && form->type != Scalar::Float32))
    m_reader.failHere("a matrix of a type that is not read");
  const std::string base = "TMatrixTBase<" + std::string(type.arguments[0]) + ">";
  readMembers(part, base, depth + 1);
  const std::uint64_t rows =
      static_cast<std::uint64_t>(wholeNumber(m_tree.parts[part].find("fNrows")).value_or(0));
  constexpr std::uint64_t mostRows = 1 << 15;
  if (rows > mostRows)
    m_reader.failHere("a matrix has more rows than bytes; the file is damaged");
  const ObjectValue triangle = readNumbers(*form, rows * (rows + 1) / 2);
  const auto& numbers = std::get<ObjectNumbers>(triangle.is);
  const std::size_t size = sizeOf(form->type);
  ObjectNumbers all{form->type, std::vector<std::byte>(rows * rows * size)};
  std::size_t next = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = i; k < rows; ++k, ++next)
      for (const std::size_t place : {i * rows + k, k * rows + i})
        std::copy_n(numbers.bytes.data() + next * size, size, all.bytes.data() + place * size);
  addMember(part, className, "fElements", valueOf(std::move(all)));
}

void MemberReader::readDescribed(std::size_t part, std::string_view className, int depth) {
  const std::size_t begin = m_reader.position();
  const ObjectHeader frame = readFrame(m_reader);
  const ClassInfo* const info = classOf(className, frame);
  if (!info) {
    std::string message = m_reader.where() + ": the file does not describe version " +
                          std::to_string(frame.version) + " of the class '" +
                          std::string(className) + "'";
    if (!frame.end || depth == 0)
      fail(ErrorKind::version, message);
    m_tree.parts[part].failure = std::move(message);
    return m_reader.seek(*frame.end);
  }
  for (const ElementInfo& element : info->elements)
    readElement(part, *info, element, depth);
  if (frame.end && m_reader.position() != *frame.end)
    fail(ErrorKind::version, m_reader.where(), ", byte ", begin, ": an object of the class '",
         className, "' has ", *frame.end - begin, " bytes, but its members have ",
         m_reader.position() - begin);
}

/// Reads a base, or a member, of one object.
void MemberReader::readElement(std::size_t part, const ClassInfo& info, const ElementInfo& element,
                               int depth) {
  if (element.type == suppressed)
    return;
  if (element.isBase)
    return readMembers(part, element.name, depth + 1);
  const std::size_t position = m_reader.position();
  ObjectValue value = readValue(part, element, depth);
  addMember(part, info.name, element.name, std::move(value), position);
}

ObjectValue MemberReader::readValue(std::size_t part, const ElementInfo& element, int depth) {
  const std::string_view name = element.typeName;
  switch (element.type) {
  case tObject:
  case tNamed:
  case object:
  case objectAny:
  case objectPointerNeverNull:
  case anyPointerNeverNull:
    return readAny(name.ends_with('*') ? name.substr(0, name.size() - 1) : name, depth + 1);
  case objectPointer:
  case anyPointer:
    return readPointed(depth + 1);
  case tString:
    return valueOf(std::string(m_reader.getString()));
  case charPointer: {
    const auto bytes = m_reader.take(m_reader.get<std::uint32_t>());
    return valueOf(std::string(detail::valuesAt<char>(bytes.data()), bytes.size()));
  }
  case objectArray:
  case objectAnyArray:
    return readEach(element.length, [&] { return readAny(name, depth + 1); });
  case objectPointer + fixedArray:
  case anyPointer + fixedArray:
    return readEach(element.length, [&] { return readPointed(depth + 1); });
  case tStringArray:
    return readEach(element.length, [&] { return valueOf(std::string(m_reader.getString())); });
  default:
    break;
  }
  if (element.isCollection)
    return readCollection(name, &element, depth);
  if (const auto form = formOf(numberTypeOf(element), element.title)) {
    if (element.type < fixedArray)
      return readNumber(*form);
    return element.type < countedArray ? readNumbers(*form, element.length)
                                       : readCounted(part, element);
  }
  const ObjectHeader frame = readFrame(m_reader); // the output of the class's own code
  if (!frame.end)
    m_reader.failHere("the member '" + element.name + "' is of a type that is not read");
  m_reader.seek(*frame.end);
  return {};
}

/// Reads an object behind a pointer, or finds the one that an earlier pointer led to.
ObjectValue MemberReader::readPointed(int depth) {
  const Tag tag = m_tags.read(m_reader);
  if (tag.kind == Tag::Kind::null)
    return {};
  if (tag.kind == Tag::Kind::reference) {
    const auto known = m_byNumber.find(tag.number);
    return known == m_byNumber.end() ? ObjectValue{} : valueOf(ObjectPart{known->second});
  }
  const std::size_t part = addPart(normalTypeName(tag.className));
  m_byNumber[tag.number] = part; // before its members, which may refer to it
  readTolerantly(part, tag.end, depth);
  return valueOf(ObjectPart{part});
}

/// Reads arrays whose length is in another member, which was read before.
ObjectValue MemberReader::readCounted(std::size_t part, const ElementInfo& element) {
  const auto form = formOf(numberTypeOf(element), element.title);
  const auto readOne = [&] {
    if (m_reader.get<std::uint8_t>() == 0) // missing
      return readNumbers(*form, 0);
    const auto count = wholeNumber(m_tree.parts[part].find(element.counter));
    if (!count || *count < 0)
      m_reader.failHere("the array '" + element.name + "' has no counter");
    return readNumbers(*form, static_cast<std::uint64_t>(*count));
  };
  return element.length > 1 ? readEach(element.length, readOne) : readOne();
}

ObjectValue MemberReader::readNumber(const NumberLayout& form) {
  std::array<std::byte, sizeof(double)> number;
  decodeNumbers(form, m_reader.take(form.storedBytes).data(), 1, number.data());
  return numberAt(form.type, number.data());
}

ObjectValue MemberReader::readNumbers(const NumberLayout& form, std::uint64_t count) {
  if (count > m_reader.remaining() / form.storedBytes)
    m_reader.failHere("an array ends behind the bytes; the file is damaged");
  const auto stored = m_reader.take(static_cast<std::size_t>(count) * form.storedBytes);
  ObjectNumbers numbers{form.type, std::vector<std::byte>(count * sizeOf(form.type))};
  decodeNumbers(form, stored.data(), count, numbers.bytes.data());
  return valueOf(std::move(numbers));
}

template <class Read>
ObjectValue MemberReader::readEach(std::uint64_t count, Read read) {
  if (count > m_reader.remaining())
    m_reader.failHere("a list has more items than bytes; the file is damaged");
  Values items;
  for (std::uint64_t i = 0; i < count; ++i) {
    countValues(1);
    items.push_back(read());
  }
  return valueOf(std::move(items));
}

/// Reads a text, list or map of the standard library in its frame.
ObjectValue MemberReader::readCollection(std::string_view typeName, const ElementInfo* element,
                                         int depth) {
  const ObjectHeader frame = readCollectionFrame(m_reader);
  ObjectValue value;
  if (frame.isMemberWise && isContainer(typeName)) {
    value = valueOf(readMemberWise(itemOf(typeName), depth));
  } else if (isText(typeName) || isContainer(typeName)) {
    value = readItems(typeName, element, depth);
  } else {
    if (!frame.end)
      m_reader.failHere("a collection is of a type that is not read");
    m_reader.seek(*frame.end);
  }
  endWholeFrame(m_reader, frame);
  return value;
}

/// Reads a text, list or map without its frame.
ObjectValue MemberReader::readItems(std::string_view typeName, const ElementInfo* element,
                                    int depth) {
  if (depth > deepest)
    m_reader.failHere("lists lie in more than 100 others");
  if (isText(typeName))
    return valueOf(std::string(m_reader.getString()));
  const std::string item = itemOf(typeName);
  const auto count = m_reader.get<std::uint32_t>();
  const auto number = numberNamed(item);
  const bool isEnum = !number && std::ranges::any_of(m_classes, [&](const Classes* classes) {
    return classes->isEnum(item);
  });
  if (number || isEnum)
    return readNumbers(*formOf(number.value_or(intNumber), element ? element->title : ""), count);
  return readEach(count, [&] { return readItem(item, depth + 1); });
}

/// Reads an item of a list or a member of a pair. Collections among them have no frames.
ObjectValue MemberReader::readItem(std::string_view typeName, int depth) {
  if (const auto number = numberNamed(typeName))
    return readNumber(*formOf(*number));
  if (typeName.ends_with('*'))
    return readPointed(depth);
  if (isText(typeName) || isContainer(typeName))
    return readItems(typeName, nullptr, depth);
  if (typeName.starts_with("pair<")) { // its members follow each other without a frame
    const std::size_t part = addPart(typeName);
    const ClassInfo info = pairOf(typeName);
    for (const ElementInfo& element : info.elements) {
      ObjectValue member = readItem(element.typeName, depth + 1);
      addMember(part, typeName, element.name, std::move(member));
    }
    return valueOf(ObjectPart{part});
  }
  return readAny(typeName, depth);
}

/// Reads a list that is stored member by member: the class's version, then the first member of all
/// objects, and so on.
MemberReader::Values MemberReader::readMemberWise(std::string_view itemType, int depth) {
  ObjectHeader frame;
  frame.version = m_reader.get<std::int16_t>();
  if (frame.version <= 0)
    frame.checksum = m_reader.get<std::uint32_t>();
  const ClassInfo* info = classOf(itemType, frame);
  std::optional<ClassInfo> pair;
  if (!info && itemType.starts_with("pair<"))
    info = &pair.emplace(pairOf(itemType));
  if (!info)
    fail(ErrorKind::version, m_reader.where(), ": the file does not describe version ",
         frame.version, " of the class '", itemType, "'");
  const auto count = m_reader.get<std::uint32_t>();
  countValues(count);
  Parts parts;
  Values items;
  for (std::uint32_t i = 0; i < count; ++i) {
    parts.push_back(addPart(itemType));
    items.push_back(valueOf(ObjectPart{parts.back()}));
  }
  readMembersOfAll(parts, *info, depth + 1);
  return items;
}

/// Reads each member of all objects. Collections among the members have one frame for all objects.
void MemberReader::readMembersOfAll(const Parts& parts, const ClassInfo& info, int depth) {
  for (const ElementInfo& element : info.elements) {
    if (!element.isCollection || element.type == suppressed) {
      for (const std::size_t part : parts)
        readElement(part, info, element, depth);
      continue;
    }
    if (parts.empty())
      continue;
    const ObjectHeader frame = readCollectionFrame(m_reader);
    if (frame.isMemberWise)
      m_reader.failHere("the member '" + element.name + "' is stored in a way that is not read");
    for (const std::size_t part : parts) {
      ObjectValue value = readItems(element.typeName, &element, depth);
      addMember(part, info.name, element.name, std::move(value));
    }
    endWholeFrame(m_reader, frame);
  }
}

} // namespace kaon::root
