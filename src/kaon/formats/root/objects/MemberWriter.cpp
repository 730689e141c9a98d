#include <kaon/formats/root/objects/MemberWriter.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/LoadAs.h>
#include <kaon/formats/root/objects/ByteOrder.h>
#include <kaon/formats/root/objects/ElementType.h>
#include <kaon/formats/root/objects/NumberLayout.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kaon::root {
namespace {

constexpr int deepestObject = 100;
// The bits of usual objects: on the heap, not deleted.
constexpr std::uint32_t usualBits = 0x0300'0000;

const ObjectNumbers noNumbers;

bool isListOfObjects(std::string_view className) noexcept {
  return className == "TList" || className == "THashList" || className == "TObjArray";
}

/// Returns the scalar of TArrayD and similar classes.
std::optional<Scalar> scalarOfArray(std::string_view className) noexcept {
  constexpr std::array<std::pair<std::string_view, Scalar>, 7> arrays{
      {{"TArrayC", Scalar::Int8},
       {"TArrayS", Scalar::Int16},
       {"TArrayI", Scalar::Int32},
       {"TArrayL", Scalar::Int64},
       {"TArrayL64", Scalar::Int64},
       {"TArrayF", Scalar::Float32},
       {"TArrayD", Scalar::Float64}}};
  const auto* const array =
      std::ranges::find(arrays, className, &std::pair<std::string_view, Scalar>::first);
  return array == arrays.end() ? std::nullopt : std::optional(array->second);
}

std::string textIn(const ObjectValue* value) {
  const auto* const text = value ? std::get_if<std::string>(&value->is) : nullptr;
  return text ? *text : std::string();
}

const ObjectNumbers* numbersIn(const ObjectValue* value) noexcept {
  return value && !std::holds_alternative<std::monostate>(value->is)
             ? std::get_if<ObjectNumbers>(&value->is)
             : &noNumbers;
}

/// Returns a number in the members of a TObject, or `otherwise` if it is missing.
std::uint32_t numberIn(const DescribedObject& part, std::string_view member,
                       std::uint32_t otherwise) noexcept {
  const ObjectValue* const value = part.find(member);
  const auto* const number = value ? std::get_if<std::int64_t>(&value->is) : nullptr;
  return number ? static_cast<std::uint32_t>(*number) : otherwise;
}

void putObject(RootObjectWriter& writer, const DescribedObject& part) {
  // References to the object belong to the program that wrote it.
  writer.putObject(numberIn(part, "fBits", usualBits) & ~isReferenced,
                   numberIn(part, "fUniqueID", 0));
}

} // namespace

void MemberWriter::write() {
  const Part* const part = partIn(&m_tree.root);
  if (!part)
    fail(ErrorKind::usage, m_where, ": only objects with a class can be written");
  writePart(*part, 0);
}

const DescribedObject* MemberWriter::partIn(const ObjectValue* value) const noexcept {
  const auto* const part = value ? std::get_if<ObjectPart>(&value->is) : nullptr;
  return part ? &m_tree.parts[part->number] : nullptr;
}

const ClassInfo& MemberWriter::infoOf(std::string_view className) const {
  const ClassInfo* const info = m_classes.newest(className);
  if (!info)
    fail(ErrorKind::usage, m_where, ": objects of the class '", className,
         "' cannot be written; histograms, graphs and texts can");
  return *info;
}

void MemberWriter::failOf(std::string_view member) const {
  fail(ErrorKind::usage, m_where, ": the value does not fit the member '", member, "'");
}

bool MemberWriter::hasMember(std::string_view className, std::string_view member) const {
  if (className == "TObject")
    return member == "fBits" || member == "fUniqueID";
  if (scalarOfArray(className))
    return member == "fArray";
  if (isListOfObjects(className))
    return member == "items" || member == "fName" || hasMember("TObject", member);
  return std::ranges::any_of(infoOf(className).elements, [&](const ElementInfo& element) {
    return element.isBase ? hasMember(element.name, member) : element.name == member;
  });
}

/// Throws if the object has members that its class lacks: they would be lost.
void MemberWriter::checkMembers(const Part& part) const {
  for (const Part::Member& member : part.members)
    if (!hasMember(part.type, member.name))
      fail(ErrorKind::usage, m_where, ": the class '", part.type, "' has no member '", member.name,
           "'");
}

void MemberWriter::writePart(const Part& part, int depth) {
  if (depth > deepestObject)
    fail(ErrorKind::usage, m_where, ": objects lie in more than 100 others");
  checkMembers(part);
  writeMembers(part, part.type, depth);
}

/// Writes the members that an object has by a class: its own or a base.
void MemberWriter::writeMembers(const Part& part, std::string_view className, int depth) {
  if (className == "TObject")
    return putObject(m_writer, part);
  if (className == "TNamed")
    return m_writer.frame(1, [&] {
      putObject(m_writer, part);
      m_writer.putString(textIn(part.find("fName")));
      m_writer.putString(textIn(part.find("fTitle")));
    });
  if (scalarOfArray(className))
    return writeArray(part.find("fArray"), className);
  if (isListOfObjects(className))
    return writeList(part, className, depth);
  const ClassInfo& info = infoOf(className);
  m_writer.frame(static_cast<std::uint16_t>(info.version), [&] {
    for (const ElementInfo& element : info.elements)
      writeElement(part, element, depth);
  });
}

void MemberWriter::writeElement(const Part& part, const ElementInfo& element, int depth) {
  if (element.isBase)
    return writeMembers(part, element.name, depth + 1);
  const ObjectValue* const value = part.find(element.name);
  switch (element.type) {
  case tString:
    return m_writer.putString(textIn(value));
  case object:
  case objectAny:
    return writeInside(value, element.typeName, depth);
  case objectPointerNeverNull:
  case anyPointerNeverNull:
    return writeInside(value, element.typeName.substr(0, element.typeName.size() - 1), depth);
  case objectPointer:
  case anyPointer:
    return writePointed(value, depth);
  default:
    break;
  }
  if (element.type > countedArray)
    return writeCounted(part, value, element);
  writeNumber(value, element);
}

/// Writes an object that lies in another one.
void MemberWriter::writeInside(const ObjectValue* value, std::string_view className, int depth) {
  if (scalarOfArray(className))
    return writeArray(value, className);
  if (const Part* const part = partIn(value))
    return writePart(*part, depth + 1);
  writeMembers(Part{std::string(className), {}, {}}, className, depth + 1);
}

void MemberWriter::writeList(const Part& part, std::string_view className, int depth) {
  const bool isArray = className == "TObjArray";
  const ObjectValue* const value = part.find("items");
  const auto* const items = value ? std::get_if<std::vector<ObjectValue>>(&value->is) : nullptr;
  m_writer.frame(isArray ? 3 : 5, [&] {
    putObject(m_writer, part);
    m_writer.putString(textIn(part.find("fName")));
    m_writer.put(static_cast<std::uint32_t>(items ? items->size() : 0));
    if (isArray)
      m_writer.put(std::uint32_t{0}); // the lower bound
    for (std::size_t i = 0; items && i < items->size(); ++i) {
      writePointed(&(*items)[i], depth);
      if (!isArray)
        m_writer.put(std::uint8_t{0}); // no option
    }
  });
}

void MemberWriter::writePointed(const ObjectValue* value, int depth) {
  const Part* const part = partIn(value);
  if (!part)
    return m_writer.putNull();
  if (const auto known = m_numbers.find(part); known != m_numbers.end())
    return m_writer.pointAgain(known->second);
  const std::uint32_t number = m_writer.pointTo(part->type, [&] { writePart(*part, depth + 1); });
  m_numbers.emplace(part, number);
}

void MemberWriter::writeNumber(const ObjectValue* value, const ElementInfo& element) {
  const auto put = [&](auto zero) {
    using T = decltype(zero);
    if (!value)
      return m_writer.put(zero);
    std::visit(
        [&](const auto& is) {
          using Given = std::decay_t<decltype(is)>;
          if constexpr (std::is_same_v<Given, bool>) {
            m_writer.put(static_cast<T>(is ? 1 : 0));
          } else if constexpr (std::is_floating_point_v<T> && std::is_arithmetic_v<Given>) {
            m_writer.put(static_cast<T>(is));
          } else if constexpr (std::is_integral_v<T> && std::is_integral_v<Given>) {
            if (!std::in_range<T>(is))
              failOf(element.name);
            m_writer.put(static_cast<T>(is));
          } else {
            failOf(element.name);
          }
        },
        value->is);
  };
  switch (element.type) {
  case shortNumber:
    return put(std::int16_t{0});
  case intNumber:
  case counterNumber:
    return put(std::int32_t{0});
  case long64Number:
    return put(std::int64_t{0});
  case floatNumber:
    return put(0.0F);
  case doubleNumber:
    return put(0.0);
  case unsignedShortNumber:
    return put(std::uint16_t{0});
  case unsignedIntNumber:
    return put(std::uint32_t{0});
  case charNumber:
    return put(std::int8_t{0});
  case unsignedCharNumber:
  case boolNumber:
    return put(std::uint8_t{0});
  default:
    failOf(element.name);
  }
}

/// Writes an array whose length is in another member of the object.
void MemberWriter::writeCounted(const Part& part, const ObjectValue* value,
                                const ElementInfo& element) {
  const ObjectNumbers* const numbers = numbersIn(value);
  const auto form = formOf(element.type - countedArray);
  if (!numbers || !form || (numbers->size() > 0 && numbers->type != form->type))
    failOf(element.name);
  const ObjectValue* const counter = part.find(element.counter);
  const auto* const count = counter ? std::get_if<std::int64_t>(&counter->is) : nullptr;
  if (numbers->size() != static_cast<std::size_t>(count ? *count : 0))
    fail(ErrorKind::usage, m_where, ": the member '", element.name, "' has ", numbers->size(),
         " numbers, not as many as '", element.counter, "' says");
  m_writer.put(static_cast<std::uint8_t>(numbers->size() > 0 ? 1 : 0));
  m_writer.putNumbers(sizeOf(form->type), numbers->bytes);
}

void MemberWriter::writeArray(const ObjectValue* value, std::string_view className) {
  const ObjectNumbers* const numbers = numbersIn(value);
  if (!numbers || (numbers->size() > 0 && numbers->type != *scalarOfArray(className)))
    failOf("fArray");
  m_writer.put(static_cast<std::uint32_t>(numbers->size()));
  m_writer.putNumbers(sizeOf(*scalarOfArray(className)), numbers->bytes);
}

} // namespace kaon::root
