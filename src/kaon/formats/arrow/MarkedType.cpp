#include <kaon/formats/arrow/MarkedType.h>

#include <kaon/detail/base/Memory.h>
#include <kaon/formats/arrow/ArrayParts.h>
#include <kaon/formats/arrow/StreamField.h>
#include <kaon/formats/arrow/StreamNumbers.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace kaon::arrow {
namespace {

constexpr std::string_view structureKey = "structure";

/// Returns the metadata of a field with a further pair.
std::string withPair(const char* metadata, std::string_view key, std::string_view value) {
  std::int32_t pairs = 0;
  std::string_view rest;
  const auto numberAt = [](const char* at) {
    std::int32_t number = 0;
    std::memcpy(&number, at, sizeof number);
    return number;
  };
  if (metadata) {
    pairs = numberAt(metadata);
    const char* const begin = metadata + sizeof pairs;
    const char* end = begin;
    for (std::int32_t text = 0; text < 2 * pairs; ++text)
      end += sizeof pairs + static_cast<std::size_t>(numberAt(end));
    rest = {begin, static_cast<std::size_t>(end - begin)};
  }
  std::string all;
  const auto append = [&all](std::size_t number) {
    const auto each = static_cast<std::int32_t>(number);
    all.append(detail::valuesAt<char>(&each), sizeof each);
  };
  append(static_cast<std::size_t>(pairs) + 1);
  all += rest;
  for (const std::string_view text : {key, value}) {
    append(text.size());
    all += text;
  }
  return all;
}

/// Whether nulls of a field are not stored as optionals: references can lead to no object, and
/// decorations have a value for objects that lack them.
bool hasOtherNulls(const ArrowSchema& field, EntryForm form) {
  if (isNull(formatOf(field)) || isReference(field) || isWholeReference(field) ||
      !metadataOf(field, "decoration").empty() || !metadataOf(field, structureKey).empty())
    return true;
  const auto number = streamNumber(formatOf(field));
  return form == EntryForm::stream && number && isFloat(number->type);
}

/// Returns the rows that are not null.
RowRuns presentRows(const ArrowArray& array, const RowRuns& rows) {
  RowRuns present;
  for (const RowRun& run : rows)
    for (std::size_t row = run.first; row < run.last; ++row)
      if (!isNull(array, row))
        append(present, {row, row + 1});
  return present;
}

std::size_t countOf(const RowRuns& rows) {
  std::size_t count = 0;
  for (const RowRun& run : rows)
    count += run.size();
  return count;
}

} // namespace

bool mayHaveNullsInside(const ArrowArray& array) noexcept {
  return mayHaveNulls(array) || (array.dictionary && mayHaveNulls(*array.dictionary)) ||
         std::ranges::any_of(std::span(array.children, static_cast<std::size_t>(array.n_children)),
                             [](const ArrowArray* child) { return mayHaveNullsInside(*child); });
}

MarkedType::MarkedField::MarkedField(const ArrowSchema& original) : type(original) {
  for (const ArrowSchema* const child : fieldsOf(original)) {
    fields.push_back(std::make_unique<MarkedField>(*child));
    children.push_back(&fields.back()->type);
  }
  type.children = children.data();
  type.release = nullptr;
}

MarkedType::MarkedType(const ArrowSchema& type) : m_entries(std::make_unique<MarkedField>(type)) {}

void MarkedType::mark(MarkedField& field, const FieldPath& path) {
  if (metadataOf(field.type, structureKey) == optionalStep)
    return;
  field.metadata = withPair(field.type.metadata, structureKey, optionalStep);
  field.type.metadata = field.metadata.data();
  field.type.flags |= ARROW_FLAG_NULLABLE;
  m_marked.push_back(path);
}

void MarkedType::mark(const FieldPath& path) {
  MarkedField* field = m_entries.get();
  for (const std::uint32_t child : path) {
    if (child >= field->fields.size())
      return;
    field = field->fields[child].get();
  }
  mark(*field, path);
}

void MarkedType::mark(const ArrowArray& entries, EntryForm form) {
  const RowRun all{0, static_cast<std::size_t>(std::max<std::int64_t>(entries.length, 0))};
  for (std::uint32_t i = 0; i < m_entries->fields.size(); ++i) {
    const StreamColumn named{.name = std::string(nameOf(m_entries->fields[i]->type))};
    const ArrowArray& field = childOf(named, entries, i);
    search(*m_entries->fields[i], {i}, field, {runBelow(named, entries, field, all, 1)}, form);
  }
}

/// Marks a field if one of the rows is null, and the fields inside it.
void MarkedType::search(MarkedField& field, const FieldPath& path, const ArrowArray& array,
                        const RowRuns& rows, EntryForm form) {
  if (!mayHaveNullsInside(array))
    return;
  const RowRuns present = mayHaveNulls(array) ? presentRows(array, rows) : rows;
  const bool isInDictionary = array.dictionary && mayHaveNulls(*array.dictionary);
  if ((isInDictionary || countOf(present) < countOf(rows)) && !hasOtherNulls(field.type, form))
    mark(field, path);
  const std::string_view format = field.type.format;
  const StreamColumn lists{.name = std::string(nameOf(field.type)),
                           .size = format.starts_with("+w:") ? fixedSizeOf(format).value_or(0) : 0,
                           .format = format.size() > 1 ? format[1] : '\0'};
  for (std::uint32_t i = 0; i < field.fields.size(); ++i) {
    const ArrowArray& child = childOf(lists, array, i);
    RowRuns inside;
    if (format == "+r") // the first child has the ends of runs
      append(inside, {0, static_cast<std::size_t>(std::max<std::int64_t>(child.length, 0))});
    else
      for (const RowRun& run : present)
        if (isList(format))
          for (std::size_t row = run.first; row < run.last; ++row)
            append(inside, elementsOf(lists, array, row));
        else
          append(inside, runBelow(lists, array, child, run, 1));
    if (!inside.empty() && inside.back().last > static_cast<std::size_t>(child.length))
      failToFit(lists);
    FieldPath deeper = path;
    deeper.push_back(i);
    search(*field.fields[i], deeper, child, inside, form);
    // Runs have the metadata of the whole field.
    if (format == "+r" && isNullable(field.fields[i]->type) &&
        metadataOf(field.fields[i]->type, structureKey) == optionalStep)
      mark(field, path);
  }
}

} // namespace kaon::arrow
