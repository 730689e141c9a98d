#include <kaon/model/SchemaDocument.h>

#include <kaon/base/Error.h>
#include <kaon/model/Json.h>
#include <kaon/model/Structure.h>

#include <limits>
#include <utility>

namespace kaon {
namespace {

constexpr std::string_view prefix = "kaon.schema:";

Json::Entries precisionEntries(const Precision& precision) {
  Json::Entries entries{{"kind", static_cast<std::uint32_t>(precision.kind)}};
  if (precision.kind == Precision::Kind::mantissa)
    entries.push_back({"bits", std::uint32_t{precision.bits}});
  else {
    entries.push_back({"low", precision.low});
    entries.push_back({"step", precision.step});
    entries.push_back({"last", precision.last});
  }
  return entries;
}

Json memberJson(const Member& member) {
  Json::Entries entries{{"name", member.name}, {"type", static_cast<std::uint32_t>(member.type)}};
  entries.push_back({"extent", member.extent});
  entries.push_back({"offset", member.offset});
  if (!member.unit.empty())
    entries.push_back({"unit", member.unit});
  if (!member.description.empty())
    entries.push_back({"description", member.description});
  if (!member.structure.empty())
    entries.push_back({"structure", member.structure});
  if (member.listsBefore != 0)
    entries.push_back({"lists_before", std::uint32_t{member.listsBefore}});
  if (member.missing != 0)
    entries.push_back({"missing", member.missing});
  if (member.precision.kind != Precision::Kind::exact)
    entries.push_back({"precision", precisionEntries(member.precision)});
  return entries;
}

Json tableJson(const Table& table, bool isAbsent) {
  Json::Entries entries{{"name", table.name}, {"kind", static_cast<std::uint32_t>(table.kind)}};
  if (!table.type.empty())
    entries.push_back({"type", table.type});
  if (!table.isRoot())
    entries.push_back({"parent", std::uint32_t{table.parent}});
  entries.push_back({"row_size", table.rowSize});
  if (!table.description.empty())
    entries.push_back({"description", table.description});
  if (!table.group.empty())
    entries.push_back({"group", table.group});
  if (table.use != TableUse::none)
    entries.push_back({"use", static_cast<std::uint32_t>(table.use)});
  if (isAbsent)
    entries.push_back({"absent", true});
  Json::List members;
  for (const Member& member : table.members)
    members.push_back(memberJson(member));
  entries.push_back({"members", std::move(members)});
  return entries;
}

/// Reads entries of a JSON value, with errors that name the place.
class JsonEntryReader {
public:
  JsonEntryReader(const Json& json, std::string_view where) : m_json(json), m_where(where) {}

  [[nodiscard]] std::string text(std::string_view name) const {
    const Json* const value = m_json.find(name);
    if (!value)
      return "";
    const auto* const text = value->as<std::string>();
    return text ? *text : failEntry(name);
  }
  /// Returns a number up to `most`, or `missing` if the entry is missing.
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t most,
                                     std::uint64_t missing = 0) const {
    const Json* const value = m_json.find(name);
    if (!value)
      return missing;
    const auto* const small = value->as<std::int64_t>();
    const auto* const large = value->as<std::uint64_t>();
    const bool isNumber = large || (small && *small >= 0);
    const std::uint64_t number = large ? *large : small ? static_cast<std::uint64_t>(*small) : 0;
    return isNumber && number <= most ? number : (failEntry(name), 0);
  }
  [[nodiscard]] std::uint32_t number32(std::string_view name, std::uint32_t missing = 0) const {
    return static_cast<std::uint32_t>(
        number(name, std::numeric_limits<std::uint32_t>::max(), missing));
  }
  [[nodiscard]] double real(std::string_view name) const {
    const Json* const value = m_json.find(name);
    if (value && value->as<double>())
      return *value->as<double>();
    return static_cast<double>(number32(name));
  }
  [[nodiscard]] bool isTrue(std::string_view name) const {
    const Json* const value = m_json.find(name);
    return value && value->as<bool>() && *value->as<bool>();
  }
  [[nodiscard]] const Json::List& list(std::string_view name) const {
    const Json* const value = m_json.find(name);
    if (!value || !value->as<Json::List>())
      (void)failEntry(name);
    return *value->as<Json::List>();
  }
  [[nodiscard]] const Json* find(std::string_view name) const { return m_json.find(name); }

private:
  [[noreturn]] std::string failEntry(std::string_view name) const {
    fail(ErrorKind::corrupt, m_where, ": '", name, "' has an invalid value; the file is damaged");
  }
  const Json& m_json;
  std::string_view m_where;
};

Precision precisionFrom(const Json& json, std::string_view where) {
  const JsonEntryReader entries(json, where);
  Precision precision;
  precision.kind = static_cast<Precision::Kind>(entries.number("kind", 2));
  precision.bits = static_cast<std::uint8_t>(entries.number("bits", 64));
  precision.low = entries.real("low");
  precision.step = entries.real("step");
  precision.last = entries.number32("last");
  return precision;
}

MemberDefinition memberFrom(const Json& json, std::string_view where) {
  const JsonEntryReader entries(json, where);
  MemberDefinition member;
  member.name = entries.text("name");
  member.type = static_cast<Scalar>(entries.number("type", detail::scalarKinds - 1));
  member.extent = entries.number32("extent", 1);
  member.offset = entries.number32("offset");
  member.unit = entries.text("unit");
  member.description = entries.text("description");
  member.structure = entries.text("structure");
  member.listsBefore = static_cast<std::uint8_t>(
      entries.number("lists_before", std::numeric_limits<std::uint8_t>::max()));
  member.missing = entries.number("missing", std::numeric_limits<std::uint64_t>::max());
  if (const Json* const precision = entries.find("precision"))
    member.precision = precisionFrom(*precision, where);
  return member;
}

TableDefinition tableFrom(const JsonEntryReader& entries, std::string_view where) {
  constexpr std::uint64_t allUses = 3;
  TableDefinition table;
  table.name = entries.text("name");
  table.kind = static_cast<TableKind>(entries.number("kind", detail::tableKinds - 1));
  table.type = entries.text("type");
  table.parent = entries.number32("parent", Table::none);
  table.rowSize = static_cast<std::uint32_t>(entries.number("row_size", mostRowBytes));
  table.description = entries.text("description");
  table.group = entries.text("group");
  table.use = static_cast<TableUse>(entries.number("use", allUses));
  for (const Json& member : entries.list("members"))
    table.members.push_back(memberFrom(member, where));
  return table;
}

/// Derives the structures of members from their names, for documents that do not state them.
void addStructures(TableDefinition& table) {
  std::vector<NamedMember> named;
  for (const MemberDefinition& member : table.members)
    named.push_back({member.name, member.type, member.extent});
  std::vector<std::string> structures = structuresFromNames(named);
  for (std::size_t i = 0; i < structures.size(); ++i)
    table.members[i].structure = std::move(structures[i]);
}

/// Adds a table. A table that does not fit is damage here, not a mistake of the caller.
TableNumber addTable(Schema& schema, const TableDefinition& table, std::string_view where) {
  try {
    return schema.add(table);
  } catch (const Error& error) {
    fail(ErrorKind::corrupt, where, ": ", error.what(), "; the file is damaged");
  }
}

} // namespace

std::string toJson(const SchemaDocument& document) {
  Json::List tables;
  std::size_t absent = 0;
  for (TableNumber table = 0; table < document.schema.size(); ++table) {
    const bool isAbsent = absent < document.absent.size() && document.absent[absent] == table;
    absent += isAbsent ? 1 : 0;
    tables.push_back(tableJson(document.schema.table(table), isAbsent));
  }
  return Json(Json::Entries{{"version", 1}, {"structure", true}, {"tables", std::move(tables)}})
      .text();
}

SchemaDocument schemaDocumentFrom(std::string_view json, std::string_view where) {
  const Json all = detail::parseJson(json, where);
  const JsonEntryReader entries(all, where);
  if (entries.number("version", std::numeric_limits<std::uint32_t>::max()) != 1)
    fail(ErrorKind::version, where, ": is of a version that this kaon does not know");
  SchemaDocument document;
  for (const Json& each : entries.list("tables")) {
    const JsonEntryReader table(each, where);
    TableDefinition definition = tableFrom(table, where);
    if (!entries.isTrue("structure"))
      addStructures(definition);
    const std::uint32_t number = addTable(document.schema, definition, where);
    if (table.isTrue("absent") && document.schema.table(number).canBeAbsent())
      document.absent.push_back(number);
  }
  return document;
}

void checkRowBytes(const Schema& schema, std::uint32_t first, std::string_view file) {
  for (TableNumber table = first; table < schema.size(); ++table)
    if (const Table info = schema.table(table); info.rowSize > mostRowBytes)
      fail(ErrorKind::usage, file, ": the rows of '", info.name, "' have ", info.rowSize,
           " bytes; they can have at most ", mostRowBytes,
           ": write lists of any length instead of arrays of a fixed one");
}

std::string schemaDocumentName(std::string_view category) {
  return std::string(prefix).append(category);
}

bool isSchemaDocument(std::string_view name) noexcept { return name.starts_with(prefix); }

} // namespace kaon
