#include <kaon/formats/arrow/StreamField.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/formats/arrow/StreamNumbers.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <utility>

namespace kaon::arrow {

bool isText(std::string_view format) noexcept {
  return format == "u" || format == "U" || format == "vu";
}

bool isBytes(std::string_view format) noexcept {
  return format == "z" || format == "Z" || format == "vz" || format.starts_with("w:");
}

bool isList(std::string_view format) noexcept {
  return format == "+l" || format == "+L" || format == "+m" || format.starts_with("+w:");
}

std::string_view formatOf(const ArrowSchema& field) noexcept {
  return field.dictionary ? field.dictionary->format : field.format;
}

std::string_view nameOf(const ArrowSchema& field) noexcept { return field.name ? field.name : ""; }

std::string_view metadataOf(const ArrowSchema& field, std::string_view key) noexcept {
  const char* at = field.metadata;
  if (!at)
    return {};
  const auto number = [&at] {
    std::int32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  };
  const auto text = [&] {
    const std::int32_t size = std::max(number(), 0);
    const char* const begin = std::exchange(at, at + size);
    return std::string_view(begin, static_cast<std::size_t>(size));
  };
  for (std::int32_t pairs = number(); pairs > 0; --pairs) {
    const std::string_view known = text();
    const std::string_view value = text();
    if (known == key)
      return value;
  }
  return {};
}

bool isNullable(const ArrowSchema& field) noexcept {
  return (field.flags & ARROW_FLAG_NULLABLE) != 0;
}

bool isOptional(const ArrowSchema& field) noexcept {
  return isNullable(field) && metadataOf(field, "structure") == optionalStep;
}

std::optional<std::uint32_t> fixedSizeOf(std::string_view format) {
  const std::string_view head = format.starts_with('+') ? "+w:" : "w:";
  if (!format.starts_with(head))
    return std::nullopt;
  std::uint32_t size = 0;
  (void)std::from_chars(format.data() + head.size(), format.data() + format.size(), size);
  if (size == 0 || size > mostElements)
    fail(ErrorKind::type, "files cannot have lists of ", format.substr(head.size()),
         " elements each");
  return size;
}

const ArrowSchema& elementOf(const ArrowSchema& list) {
  if (list.n_children != 1)
    fail(ErrorKind::usage, "a list of Arrow has elements of one type, not ", list.n_children);
  return *list.children[0];
}

std::span<ArrowSchema* const> fieldsOf(const ArrowSchema& record) noexcept {
  return {record.children, static_cast<std::size_t>(record.n_children)};
}

bool isWholeReference(const ArrowSchema& field) noexcept {
  constexpr std::string_view names[] = {"collection", "entry", "file", "index"};
  return isRecord(field) && field.n_children == std::ssize(names) &&
         std::ranges::all_of(names, [&](std::string_view name) {
           return std::ranges::any_of(
               fieldsOf(field), [&](const ArrowSchema* inside) { return nameOf(*inside) == name; });
         });
}

std::optional<std::uint32_t> ownReferences(const ArrowSchema& list) {
  if (!isList(list.format) || !isRecord(elementOf(list)))
    return std::nullopt;
  const auto fields = fieldsOf(elementOf(list));
  for (std::uint32_t i = 0; i < fields.size(); ++i)
    if (nameOf(*fields[i]) == selfName && isWholeReference(*fields[i]))
      return i;
  return std::nullopt;
}

bool isReference(const ArrowSchema& field) noexcept {
  return isRecord(field) && field.n_children == 2 && nameOf(*field.children[0]) == "index" &&
         std::string_view(field.children[0]->format) == "i" &&
         nameOf(*field.children[1]) == "collection" && isText(formatOf(*field.children[1]));
}

std::string_view recordName(const ArrowSchema& field) {
  for (const std::string_view key : {"record", "datatype"})
    if (const std::string_view name = metadataOf(field, key); !name.empty())
      return name;
  return isList(field.format) ? recordName(elementOf(field)) : std::string_view();
}

Scalar indexOf(const ArrowSchema& index, const std::string& name) {
  const auto number = streamNumber(index.format);
  if (!number || number->form != NumberForm::plain || !number->unit.empty() ||
      isFloat(number->type))
    fail(ErrorKind::type, "'", name, "' has a dictionary whose indices are not integers");
  return number->type;
}

std::optional<ArrowSchema> valuesOfRuns(const ArrowSchema& field) {
  if (std::string_view(field.format) != "+r")
    return std::nullopt;
  if (field.n_children != 2)
    fail(ErrorKind::usage, "runs of values have two parts, not ", field.n_children);
  ArrowSchema values = *field.children[1];
  values.name = field.name;
  if (field.metadata)
    values.metadata = field.metadata;
  return values;
}

std::string typeText(const ArrowSchema& field) {
  const std::string_view format = formatOf(field);
  if (isNull(format))
    return "unknown";
  if (isText(format))
    return "string";
  if (isBytes(format))
    return "bytes";
  if (const auto number = streamNumber(format))
    return std::string(nameOf(number->type));
  if (isList(format) && field.n_children == 1) {
    const std::string size(format.starts_with("+w:") ? format.substr(3) : "var");
    return joined(size, " * ", typeText(*field.children[0]));
  }
  if (format != "+s")
    return std::string(format);
  std::string text = "{";
  for (std::int64_t i = 0; i < field.n_children; ++i)
    text +=
        joined(i > 0 ? ", " : "", nameOf(*field.children[i]), ": ", typeText(*field.children[i]));
  return text + "}";
}

} // namespace kaon::arrow
