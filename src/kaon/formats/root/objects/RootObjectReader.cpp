#include <kaon/formats/root/objects/RootObjectReader.h>

#include <kaon/formats/root/objects/NumberLayout.h>
#include <kaon/formats/root/objects/ObjectHeader.h>
#include <kaon/formats/root/objects/TypeName.h>

#include <algorithm>
#include <utility>

namespace kaon::root {
namespace {

constexpr int mostDepth = 100; // of nested objects
// This number of objects or values is allowed, however few bytes there are.
constexpr std::size_t fewest = 4'096;

std::size_t widthOf(std::int32_t type, std::string_view title = {}) {
  const auto form = formOf(type, title);
  return form ? form->storedBytes : 0;
}

/// Returns the size of an element of TArrayI and similar classes; 0 for other classes.
std::size_t widthOfArray(std::string_view className) noexcept {
  constexpr std::pair<std::string_view, std::size_t> arrays[] = {
      {"TArrayC", 1},   {"TArrayS", 2}, {"TArrayI", 4}, {"TArrayL", 8},
      {"TArrayL64", 8}, {"TArrayF", 4}, {"TArrayD", 8}};
  const auto* const number =
      std::ranges::find(arrays, className, &std::pair<std::string_view, std::size_t>::first);
  return number == std::end(arrays) ? 0 : number->second;
}

std::int64_t wholePart(double value) noexcept {
  constexpr double most = 9e18;
  return value > -most && value < most ? static_cast<std::int64_t>(value) : 0;
}

bool isList(std::string_view className) noexcept {
  return className == "TObjArray" || className == "TList" || className == "THashList";
}

} // namespace

const ElementValue* Object::find(std::string_view member) const noexcept {
  if (!info)
    return nullptr;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (info->elements[i].name == member && !info->elements[i].isBase)
      return &values[i];
  for (std::size_t i = 0; i < values.size(); ++i)
    if (info->elements[i].isBase && values[i].object)
      if (const ElementValue* const inBase = values[i].object->find(member))
        return inBase;
  return nullptr;
}

std::int64_t Object::integer(std::string_view member, std::int64_t otherwise) const {
  const ElementValue* const value = find(member);
  return value ? value->integer : otherwise;
}

std::string_view Object::text(std::string_view member) const {
  const ElementValue* const value = find(member);
  return value ? value->text : std::string_view();
}

std::span<const Object* const> Object::list(std::string_view member) const {
  const ElementValue* const value = find(member);
  const bool isHere = value && value->object && value->object->begin >= begin;
  return isHere ? std::span(value->object->items) : std::span<const Object* const>();
}

const Object* Object::part(std::string_view baseName) const noexcept {
  if (className == baseName)
    return this;
  for (const ElementValue& value : values)
    if (value.object && info &&
        info->elements[static_cast<std::size_t>(&value - values.data())].isBase)
      if (const Object* const inBase = value.object->part(baseName))
        return inBase;
  return nullptr;
}

/// Whether there are more objects or members than the bytes can hold. The limits are safe: branches
/// need 50 bytes for each of their objects, and 15 bytes for each member.
bool RootObjectReader::isExhausted() const noexcept {
  const std::size_t bytes = m_reader.bytes().size();
  return m_objects.size() > fewest + bytes / 16 || m_values > fewest + bytes / 4 ||
         m_failures > fewest + bytes / 64;
}

Object& RootObjectReader::add(std::string_view className) {
  if (isExhausted())
    m_reader.failHere("there are more objects than there is room for; the file is damaged");
  Object& object = m_objects.emplace_back();
  object.className = className;
  object.begin = m_reader.position();
  return object;
}

const Object& RootObjectReader::read(std::string_view className) {
  Object& object = add(className);
  readObject(object, 0);
  return object;
}

void RootObjectReader::readObject(Object& object, int depth) {
  if (depth > mostDepth)
    m_reader.failHere("objects are nested more than 100 deep");
  if (!readBuiltIn(object, depth))
    readDescribed(object, depth);
}

const ClassInfo* RootObjectReader::classOf(std::string_view className,
                                           const ObjectHeader& frame) const {
  const std::string normal = normalTypeName(className);
  for (const Classes* const classes : m_classes)
    if (const ClassInfo* const info = classes->find(normal, frame.version, frame.checksum))
      return info;
  return nullptr;
}

void RootObjectReader::readDescribed(Object& object, int depth) {
  const ObjectHeader frame = readFrame(m_reader);
  object.info = classOf(object.className, frame);
  if (!object.info) {
    const bool isBehindPointer = object.end != 0;
    if (!frame.end || depth == 0 || isBehindPointer)
      fail(ErrorKind::version, m_reader.where(), ": the file does not describe version ",
           frame.version, " of the class '", object.className, "'");
    return m_reader.seek(*frame.end);
  }
  const auto& elements = object.info->elements;
  m_values += elements.size();
  if (isExhausted())
    m_reader.failHere("there are more objects than there is room for; the file is damaged");
  object.values.reserve(elements.size());
  for (const ElementInfo& element : elements) {
    object.values.push_back(readValue(element, object, depth));
    const Object* const base = element.isBase ? object.values.back().object : nullptr;
    if (base && object.name.empty()) {
      object.name = base->name;
      object.title = base->title;
    }
  }
  if (frame.end && m_reader.position() != *frame.end)
    fail(ErrorKind::version, m_reader.where(), ", byte ", object.begin,
         ": an object of the class '", object.className, "' has ", *frame.end - object.begin,
         " bytes, but its members have ", m_reader.position() - object.begin);
}

/// Reads objects of classes whose bytes differ from their description in files. Returns false for
/// other classes.
bool RootObjectReader::readBuiltIn(Object& object, int depth) {
  const std::string_view name = object.className;
  if (name == "TObject") {
    skipTObject(m_reader);
  } else if (name == "TNamed") {
    const ObjectHeader frame = readFrame(m_reader);
    skipTObject(m_reader);
    object.name = m_reader.getString();
    object.title = m_reader.getString();
    endFrame(m_reader, frame);
  } else if (isList(name)) {
    readList(object, depth);
  } else if (const std::size_t width = widthOfArray(name)) {
    m_reader.skip(std::size_t{m_reader.get<std::uint32_t>()} * width);
  } else {
    return false;
  }
  return true;
}

void RootObjectReader::readList(Object& object, int depth) {
  const ObjectHeader frame = readFrame(m_reader);
  const bool isArray = object.className == "TObjArray";
  const bool isOld = frame.version < (isArray ? 3 : 4);
  if (!isOld)
    skipTObject(m_reader);
  if (frame.version > 1)
    (void)m_reader.getString();
  const auto count = m_reader.get<std::uint32_t>();
  if (isArray)
    m_reader.skip(4); // the lower bound
  if (count > m_reader.remaining() / 4)
    m_reader.failHere("a list has more objects than bytes; the file is damaged");
  object.items.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    object.items.push_back(readPointer(depth + 1));
    if (!isArray && !isOld)
      m_reader.skip(m_reader.get<std::uint8_t>()); // an option
  }
  endWholeFrame(m_reader, frame);
}

const Object* RootObjectReader::readPointer(int depth) {
  const Tag tag = m_tags.read(m_reader);
  if (tag.kind == Tag::Kind::null)
    return nullptr;
  if (tag.kind == Tag::Kind::reference) {
    const auto known = m_byNumber.find(tag.number);
    return known == m_byNumber.end() ? nullptr : known->second;
  }
  Object& object = add(tag.className);
  object.end = tag.end;
  m_byNumber[tag.number] = &object; // before its members, which may refer to it
  if (tag.className != "TBasket")   // read later, when it is needed
    skipUnreadable(object, depth);
  m_reader.seek(tag.end);
  return &object;
}

/// Reads an object whose end is known. Notes why it could not be read.
void RootObjectReader::skipUnreadable(Object& object, int depth) {
  try {
    readObject(object, depth);
    if (m_reader.position() > object.end)
      m_reader.failHere("an object of the class '" + std::string(object.className) +
                        "' ends behind its last byte");
  } catch (const Error& error) {
    ++m_failures;
    if (isExhausted())
      throw;
    object.failure = error.what();
    object.info = nullptr;
    object.values.clear();
    object.items.clear();
  }
}

ElementValue RootObjectReader::readValue(const ElementInfo& element, const Object& owner,
                                         int depth) {
  const auto readInside = [&](std::string_view className) {
    Object& inside = add(className);
    readObject(inside, depth + 1);
    ElementValue value;
    value.object = &inside;
    return value;
  };
  if (element.type == suppressed)
    return {};
  if (element.isBase)
    return readInside(element.name);
  switch (element.type) {
  case tObject:
    return readInside("TObject");
  case tNamed:
    return readInside("TNamed");
  case object:
  case objectAny:
  case objectPointerNeverNull:
  case anyPointerNeverNull: {
    const std::string_view name = element.typeName;
    return readInside(name.ends_with('*') ? name.substr(0, name.size() - 1) : name);
  }
  case objectPointer:
  case anyPointer: {
    ElementValue value;
    value.object = readPointer(depth + 1);
    return value;
  }
  case tString: {
    ElementValue value;
    value.text = m_reader.getString();
    return value;
  }
  default:
    break;
  }
  if ((element.type > fixedArray && element.type < 2 * fixedArray + fixedArray) ||
      element.type == positionArray)
    return readNumbers(element, owner);
  if (element.type == sizedArray)
    return readArray(element, m_reader.get<std::uint32_t>(), sizeof(std::int32_t));
  if (widthOf(element.type, element.title) > 0)
    return readNumber(element);
  const ObjectHeader frame =
      readFrame(m_reader); // a collection, or the output of the class's own code
  if (!frame.end)
    m_reader.failHere("the member '" + element.name + "' is of a type that is not read");
  m_reader.seek(*frame.end);
  return {};
}

ElementValue RootObjectReader::readNumber(const ElementInfo& element) {
  ElementValue value;
  switch (element.type) {
  case double32Number:
  case float16Number:
    m_reader.skip(widthOf(element.type, element.title));
    break;
  case floatNumber:
    value.integer = wholePart(m_reader.get<float>());
    break;
  case doubleNumber:
    value.integer = wholePart(m_reader.get<double>());
    break;
  case charNumber:
    value.integer = m_reader.get<std::int8_t>();
    break;
  case unsignedCharNumber:
  case boolNumber:
    value.integer = m_reader.get<std::uint8_t>();
    break;
  case shortNumber:
    value.integer = m_reader.get<std::int16_t>();
    break;
  case unsignedShortNumber:
    value.integer = m_reader.get<std::uint16_t>();
    break;
  case intNumber:
  case counterNumber:
    value.integer = m_reader.get<std::int32_t>();
    break;
  case unsignedIntNumber:
    value.integer = m_reader.get<std::uint32_t>();
    break;
  default:
    value.integer = m_reader.get<std::int64_t>();
  }
  return value;
}

/// Reads an array of fixed length, or one whose counter was read before.
ElementValue RootObjectReader::readNumbers(const ElementInfo& element, const Object& owner) {
  constexpr std::uint8_t flagOfWide = 2;
  const bool isCounted = element.type > countedArray;
  const std::uint8_t flag = isCounted ? m_reader.get<std::uint8_t>() : 1;
  if (flag == 0)
    return {};
  const std::size_t width =
      element.type == positionArray
          ? (flag == flagOfWide ? sizeof(std::uint64_t) : sizeof(std::uint32_t))
          : widthOf(element.type - (isCounted ? countedArray : fixedArray), element.title);
  const std::uint64_t count =
      isCounted ? static_cast<std::uint64_t>(owner.integer(element.counter, -1)) : element.length;
  return readArray(element, count, width);
}

ElementValue RootObjectReader::readArray(const ElementInfo& element, std::uint64_t count,
                                         std::size_t width) {
  if (width == 0)
    m_reader.failHere("the member '" + element.name + "' is of a type that is not read");
  if (count > m_reader.remaining() / width)
    m_reader.failHere("the array '" + element.name +
                      "' ends behind the bytes; the file is damaged");
  ElementValue value;
  value.numbers = m_reader.take(static_cast<std::size_t>(count) * width);
  return value;
}

} // namespace kaon::root
