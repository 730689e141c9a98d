#include <kaon/formats/kaonfile/FileStructs.h>

#include <kaon/base/Utf8.h>

namespace kaon::kaonfile {
codec::Element elementOf(const Schema& schema, const Column& column) noexcept {
  if (column.role != ColumnRole::member)
    return {.size = column.elementSize};
  return detail::elementOf(schema.table(column.table).members[column.member]);
}

std::string nameOf(const Schema& schema, const Column& column) {
  return column.role == ColumnRole::member ? schema.nameOfMember(column.table, column.member)
                                           : std::string(schema.table(column.table).name);
}

MemberRange membersIn(const Schema& schema, const Column& column) noexcept {
  if (column.role == ColumnRole::member)
    return {column.member, column.member + 1};
  if (column.role == ColumnRole::rows)
    return {0, static_cast<std::uint32_t>(schema.table(column.table).members.size())};
  return {0, 0};
}

namespace {

void append(Buffer& bytes, std::string_view text) { bytes.append(std::as_bytes(std::span(text))); }

/// Divides the texts. Missing bytes are detected at the end.
class TextDivider {
public:
  [[nodiscard]] detail::TextRange next(std::uint32_t size) noexcept {
    const detail::TextRange place{static_cast<std::uint32_t>(m_end), size};
    m_end += size;
    return place;
  }
  [[nodiscard]] std::uint64_t end() const noexcept { return m_end; }

private:
  std::uint64_t m_end = 0;
};

detail::TableRecord recordOf(const SchemaTable& table, TextDivider& texts,
                             std::uint32_t firstMember) {
  detail::TableRecord record;
  record.name = texts.next(table.nameSize);
  record.type = texts.next(table.typeSize);
  record.description = texts.next(table.descriptionSize);
  record.group = texts.next(table.groupSize);
  record.parent = table.parent;
  record.rowSize = table.rowSize;
  record.firstMember = firstMember;
  record.members = table.members;
  record.kind = table.kind;
  record.layout = table.layout;
  record.use = table.use;
  record.statesStructure = table.statesStructure == 1;
  return record;
}

detail::MemberRecord recordOf(const SchemaMember& member, bool statesStructure,
                              TextDivider& texts) {
  detail::MemberRecord record;
  record.name = texts.next(member.nameSize);
  record.unit = texts.next(member.unitSize);
  record.description = texts.next(member.descriptionSize);
  record.structure = texts.next(statesStructure ? member.structureSize : 0);
  record.extent = member.extent;
  record.offset = member.offset;
  record.missing = member.missing;
  record.precisionLow = member.precisionLow;
  record.precisionStep = member.precisionStep;
  record.type = member.type;
  record.precisionKind = member.precisionKind;
  record.precisionBits = member.precisionBits;
  record.precisionLast = member.precisionLast;
  record.listsBefore = statesStructure ? member.listsBefore : 0;
  return record;
}

} // namespace

Buffer schemaBytes(const Schema& schema, TableNumber firstTable, std::string_view category) {
  std::vector<SchemaTable> tables;
  std::vector<SchemaMember> members;
  Buffer texts, memberTexts;
  const auto sizeOf = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };
  for (std::uint32_t number = firstTable; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    tables.push_back({sizeOf(table.name), sizeOf(table.type), sizeOf(table.description),
                      sizeOf(table.group), table.parent, table.rowSize,
                      static_cast<std::uint32_t>(table.members.size()), table.kind, table.layout,
                      table.use, 1});
    for (const std::string_view text : {table.name, table.type, table.description, table.group})
      append(texts, text);
    for (const Member& member : table.members) {
      const Precision& precision = member.precision;
      members.push_back({sizeOf(member.name), sizeOf(member.unit), sizeOf(member.description),
                         member.extent, member.offset, member.type, precision.kind, precision.bits,
                         member.listsBefore, member.missing, precision.low, precision.step,
                         precision.last, sizeOf(member.structure)});
      for (const std::string_view text :
           {member.name, member.unit, member.description, member.structure})
        append(memberTexts, text);
    }
  }
  texts.append(memberTexts.bytes());
  const SchemaHead head{firstTable, static_cast<std::uint32_t>(tables.size()),
                        static_cast<std::uint32_t>(members.size()),
                        static_cast<std::uint32_t>(category.size()), texts.size()};
  Buffer bytes;
  bytes.append(std::as_bytes(std::span(&head, 1)));
  bytes.append(std::as_bytes(std::span(tables)));
  bytes.append(std::as_bytes(std::span(members)));
  bytes.append(texts.bytes());
  append(bytes, category);
  return bytes;
}

std::string addSchema(Schema& schema, std::span<const std::byte> bytes, const std::string& where) {
  const auto heads = takeArray<SchemaHead>(bytes, 1);
  const SchemaHead head = heads ? heads->front() : SchemaHead{};
  const auto storedTables = takeArray<SchemaTable>(bytes, head.tables);
  const auto storedMembers = takeArray<SchemaMember>(bytes, head.members);
  const auto texts = takeArray<char>(bytes, head.textsSize);
  const auto name = takeArray<char>(bytes, head.nameSize);
  if (!heads || !storedTables || !storedMembers || !texts || !name)
    fail(ErrorKind::corrupt, where, ": the tables end too early; the file is damaged");
  if (head.firstTable != schema.size())
    fail(ErrorKind::corrupt, where, ": its tables are out of order; the file is damaged");
  TextDivider places;
  std::vector<detail::TableRecord> tables;
  tables.reserve(storedTables->size());
  std::uint64_t firstMember = 0;
  for (const SchemaTable& table : *storedTables) {
    tables.push_back(recordOf(table, places, static_cast<std::uint32_t>(firstMember)));
    firstMember += table.members;
  }
  std::vector<detail::MemberRecord> members;
  members.reserve(storedMembers->size());
  const auto failCounts = [&] {
    fail(ErrorKind::corrupt, where,
         ": its tables do not match its members or texts; the file is damaged");
  };
  if (firstMember != storedMembers->size())
    failCounts();
  for (const detail::TableRecord& table : tables)
    for (const SchemaMember& member : storedMembers->subspan(table.firstMember, table.members))
      members.push_back(recordOf(member, table.statesStructure, places));
  if (places.end() != texts->size())
    failCounts();
  const detail::SchemaBlock block{tables, members, {texts->data(), texts->size()}};
  if (const std::string wrong = schema.add(block); !wrong.empty())
    fail(ErrorKind::corrupt, where, ": ", wrong, "; the file is damaged");
  const std::string_view category(name->data(), name->size());
  if (category.empty() || !isUtf8(category))
    fail(ErrorKind::corrupt, where, ": the name of a category is empty or not UTF-8; ",
         "the file is damaged");
  return std::string(category);
}

} // namespace kaon::kaonfile
