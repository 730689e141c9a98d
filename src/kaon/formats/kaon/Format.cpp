#include <kaon/formats/kaon/Format.h>

#include <kaon/base/Utf8.h>

namespace kaon::store {
codec::Element elementOf(const Schema& schema, const Column& column) noexcept {
  if (column.role != ColumnRole::member)
    return {.size = column.elementSize};
  return elementOf(schema.table(column.table).members[column.member]);
}

std::string nameOf(const Schema& schema, const Column& column) {
  return column.role == ColumnRole::member ? schema.nameOfMember(column.table, column.member)
                                           : std::string(schema.table(column.table).name);
}

bool hasBounds(const Column& column) noexcept { return column.role == ColumnRole::member; }

Buffer schemaBytes(const Schema& schema, std::uint32_t firstTable, std::string_view category) {
  const SchemaBlock all = schema.block();
  std::vector<TableRecord> tables(all.tables.begin() + firstTable, all.tables.end());
  // What was added with the tables stands in the order in which they were; what all of them have
  // may have come, in any order, from a file.
  std::uint32_t firstMember = 0, firstText = 0;
  if (firstTable > 0) {
    firstMember =
        tables.empty() ? static_cast<std::uint32_t>(all.members.size()) : tables[0].firstMember;
    firstText =
        tables.empty() ? static_cast<std::uint32_t>(all.texts.size()) : tables[0].name.begin;
  }
  std::vector<MemberRecord> members(all.members.begin() + firstMember, all.members.end());
  for (TableRecord& table : tables) {
    table.firstMember -= firstMember;
    for (TextPlace* text : {&table.name, &table.type, &table.description, &table.group})
      text->begin -= firstText;
  }
  for (MemberRecord& member : members)
    for (TextPlace* text : {&member.name, &member.unit, &member.description})
      text->begin -= firstText;
  const std::string_view texts = all.texts.substr(firstText);
  const SchemaHead head{firstTable, static_cast<std::uint32_t>(tables.size()),
                        static_cast<std::uint32_t>(members.size()),
                        static_cast<std::uint32_t>(category.size()), texts.size()};
  Buffer bytes;
  bytes.append(std::as_bytes(std::span(&head, 1)));
  bytes.append(std::as_bytes(std::span(tables)));
  bytes.append(std::as_bytes(std::span(members)));
  bytes.append(std::as_bytes(std::span(texts)));
  bytes.append(std::as_bytes(std::span(category)));
  return bytes;
}

std::string addSchema(Schema& schema, std::span<const std::byte> bytes, const std::string& where) {
  const auto heads = takeArray<SchemaHead>(bytes, 1);
  const SchemaHead head = heads ? heads->front() : SchemaHead{};
  const auto tables = takeArray<TableRecord>(bytes, head.tables);
  const auto members = takeArray<MemberRecord>(bytes, head.members);
  const auto texts = takeArray<char>(bytes, head.textsSize);
  const auto name = takeArray<char>(bytes, head.nameSize);
  if (!heads || !tables || !members || !texts || !name)
    fail(ErrorKind::corrupt, where, ": the tables end too early; the file is damaged");
  if (head.firstTable != schema.size())
    fail(ErrorKind::corrupt, where, ": its tables are out of order; the file is damaged");
  const SchemaBlock block{*tables, *members, {texts->data(), texts->size()}};
  if (const std::string wrong = schema.add(block); !wrong.empty())
    fail(ErrorKind::corrupt, where, ": ", wrong, "; the file is damaged");
  const std::string_view category(name->data(), name->size());
  if (category.empty() || !isUtf8(category))
    fail(ErrorKind::corrupt, where, ": the name of a category is empty or not UTF-8; ",
         "the file is damaged");
  return std::string(category);
}

} // namespace kaon::store
