#include <kaon/formats/arrow/FieldSchema.h>

#include <kaon/detail/base/Memory.h>
#include <kaon/formats/arrow/OwnedArrow.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::arrow {
namespace {

/// The memory that a schema refers to.
struct SchemaMemory {
  std::string format, name, metadata;
  OwnedChildren<ArrowSchema> parts = {};
};

ArrowSchema toSchema(std::unique_ptr<SchemaMemory> memory, bool isNullable) {
  ArrowSchema schema{};
  schema.format = memory->format.c_str();
  schema.name = memory->name.c_str();
  schema.metadata = memory->metadata.empty() ? nullptr : memory->metadata.data();
  schema.flags = isNullable ? ARROW_FLAG_NULLABLE : 0;
  keep(std::move(memory), schema);
  return schema;
}

constexpr const char* largeText = "U";

std::string formatFor(const ArrowField& field) {
  constexpr const char* numbers[detail::scalarKinds] = {"b", "c", "C", "s", "S", "i",
                                                        "I", "l", "L", "f", "g"};
  switch (field.kind) {
  case ArrowFieldKind::number:
    return numbers[static_cast<std::size_t>(field.type)];
  case ArrowFieldKind::fixedList:
    return "+w:" + std::to_string(field.size);
  case ArrowFieldKind::list:
    return "+L";
  case ArrowFieldKind::text:
    return largeText;
  case ArrowFieldKind::collectionName:
    return "i";
  case ArrowFieldKind::record:
    break;
  }
  return "+s";
}

void appendNumber(std::string& bytes, std::size_t number) {
  const auto value = static_cast<std::int32_t>(number);
  bytes.append(detail::valuesAt<char>(&value), sizeof value);
}

/// Returns the metadata in Arrow's form: the number of pairs, then each key and value after its
/// length.
std::string metadataFor(const ArrowField& field) {
  const std::string missing = field.missing == 0 ? "" : std::to_string(field.missing);
  const std::pair<std::string_view, std::string_view> all[] = {
      {"unit", field.unit},           {"description", field.description},
      {"datatype", field.datatype},   {"decoration", field.decoration},
      {"structure", field.structure}, {"missing", missing}};
  std::string pairs;
  std::size_t count = 0;
  for (const auto& [key, value] : all) {
    if (value.empty())
      continue;
    ++count;
    for (const std::string_view text : {key, value}) {
      appendNumber(pairs, text.size());
      pairs += text;
    }
  }
  if (count == 0)
    return {};
  std::string metadata;
  appendNumber(metadata, count);
  return metadata + pairs;
}

} // namespace

ArrowSchema schemaOf(const ArrowField& field) {
  auto memory = std::make_unique<SchemaMemory>(formatFor(field), field.name, metadataFor(field));
  memory->parts.children.reserve(field.children.size());
  for (const ArrowField& child : field.children)
    memory->parts.children.emplace_back(schemaOf(child));
  if (field.kind == ArrowFieldKind::collectionName) {
    auto names = std::make_unique<SchemaMemory>(largeText);
    memory->parts.dictionary =
        std::make_unique<OwnedArrow<ArrowSchema>>(toSchema(std::move(names), false));
  }
  return toSchema(std::move(memory), field.absence != Absence::never);
}

} // namespace kaon::arrow
