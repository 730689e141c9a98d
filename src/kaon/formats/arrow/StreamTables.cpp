#include <kaon/formats/arrow/StreamTables.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/formats/arrow/StreamField.h>
#include <kaon/formats/arrow/StreamNumbers.h>
#include <kaon/model/Schema.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::arrow {
namespace {

constexpr std::string_view stringType = "string";

/// Returns the name of a type for messages.
std::string_view typeName(std::string_view format) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"ti", "interval"}, {"+u", "union"}, {"+v", "list_view"}};
  for (const auto& [begin, name] : names)
    if (format.starts_with(begin))
      return name;
  return format;
}

/// Returns the value of a decoration's numbers in objects that lack them.
std::uint64_t missingOf(const ArrowSchema& field) {
  const std::string_view digits = metadataOf(field, "missing");
  std::uint64_t missing = 0;
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), missing);
  return missing;
}

/// The path of a part in a row, and the steps of its structure without the last one.
struct NamedSteps {
  std::string path = {};
  std::string steps = {};

  [[nodiscard]] NamedSteps inside(std::string_view step, std::string_view name) const {
    return path.empty() && step != optionalStep
               ? NamedSteps{std::string(name), ""}
               : NamedSteps{joined(path, ".", name), joined(steps, step, ".")};
  }
  /// Returns the structure of a member with this last step.
  [[nodiscard]] std::string structure(std::string_view step = {}) const {
    std::string all = steps + std::string(step);
    all.erase(all.find_last_not_of('.') + 1);
    return all;
  }
};

/// Returns the name of records for tables of parameters; "" for names that belong to values.
std::string_view freeRecordName(const ArrowSchema& field) {
  std::string_view name = recordName(field);
  if (const std::size_t space = name.rfind("::");
      space != std::string_view::npos && !name.starts_with("kaon::"))
    name.remove_prefix(space + 2);
  for (std::size_t type = 0; type < detail::scalarKinds; ++type)
    if (name == nameOf(static_cast<Scalar>(type)))
      return {};
  return name == stringType ? std::string_view() : name;
}

class StreamTableBuilder {
public:
  void addField(const ArrowSchema& field);
  void addFree(std::string_view name, TableKind kind, const ArrowSchema& field);
  [[nodiscard]] std::vector<TableDefinition> tables();

private:
  TableNumber addTable(std::string name, TableKind kind, std::string_view type, TableNumber parent,
                       const ArrowSchema& field);
  void addMember(TableNumber table, std::string_view name, Scalar type, std::uint32_t extent,
                 const ArrowSchema& field, std::string_view unit = {}, std::string structure = {});
  void addRows(TableNumber table, const ArrowSchema& row);
  void addPart(TableNumber table, const NamedSteps& way, const ArrowSchema& field);
  [[nodiscard]] bool addValues(TableNumber table, const NamedSteps& way, const ArrowSchema& field);
  void addLists(TableNumber table, const NamedSteps& way, const ArrowSchema& field);
  [[nodiscard]] bool addNumbers(TableNumber table, const NamedSteps& way, const ArrowSchema& field);
  void addText(std::string name, TableKind kind, std::string_view type, TableNumber parent,
               const ArrowSchema& field);
  void addList(std::string name, TableKind kind, std::string_view type, TableNumber parent,
               const ArrowSchema& field);
  void addReferences(std::string name, TableKind kind, TableNumber parent,
                     const ArrowSchema& field);
  void addValue(std::string name, std::string_view type, const ArrowSchema& field);
  [[nodiscard]] bool isListOfOne(TableNumber table, const ArrowSchema& field) const;
  [[nodiscard]] bool isOfObject(TableNumber table) const;
  [[nodiscard]] bool mayLack(TableNumber table, const std::string& path,
                             const ArrowSchema& field) const;
  [[nodiscard]] std::string_view typeOfElements(TableNumber table, const ArrowSchema& list) const;
  [[nodiscard]] std::string labelOf(TableNumber table, const std::string& path) const {
    return dotted(m_tables[table].name, path);
  }

  std::vector<TableDefinition> m_tables;
  std::vector<std::size_t> m_lists; ///< Under each table.
  bool m_isFree = false;            ///< Records keep their names, and are no objects.
};

TableNumber StreamTableBuilder::addTable(std::string name, TableKind kind, std::string_view type,
                                         TableNumber parent, const ArrowSchema& field) {
  m_lists.push_back(0);
  if (parent != Table::none)
    ++m_lists[parent];
  m_tables.push_back({.name = std::move(name),
                      .kind = kind,
                      .type = std::string(type),
                      .parent = parent,
                      .description = std::string(metadataOf(field, "description"))});
  return static_cast<std::uint32_t>(m_tables.size() - 1);
}

void StreamTableBuilder::addMember(TableNumber table, std::string_view name, Scalar type,
                                   std::uint32_t extent, const ArrowSchema& field,
                                   std::string_view unit, std::string structure) {
  TableDefinition& rows = m_tables[table];
  const std::uint32_t size = sizeOf(type);
  const std::uint32_t offset = (rows.rowSize + size - 1) / size * size;
  rows.members.push_back({.name = std::string(name),
                          .type = type,
                          .extent = extent,
                          .offset = offset,
                          .unit = std::string(unit.empty() ? metadataOf(field, "unit") : unit),
                          .description = std::string(metadataOf(field, "description")),
                          .missing = missingOf(field),
                          .structure = std::move(structure),
                          .listsBefore = detail::countOfLists(m_lists[table])});
  rows.rowSize = offset + size * extent;
}

/// Adds a table of characters of strings, or of bytes.
void StreamTableBuilder::addText(std::string name, TableKind kind, std::string_view type,
                                 TableNumber parent, const ArrowSchema& field) {
  addMember(addTable(std::move(name), kind, type, parent, field), "", Scalar::UInt8, 1, {});
}

/// The arrays of fixed length around a field's elements.
struct FixedArrays {
  explicit FixedArrays(const ArrowSchema& field) : element(&field) {
    while (const auto size =
               isList(element->format) ? fixedSizeOf(element->format) : std::nullopt) {
      shape.push_back(*size);
      elements *= *size;
      element = &elementOf(*element);
      areOptional = isOptional(*element);
      if (elements > mostElements || areOptional)
        return;
    }
  }
  const ArrowSchema* element;
  std::vector<std::uint32_t> shape = {};
  std::uint64_t elements = 1;
  bool areOptional = false; ///< Elements may be missing.
};

/// Adds a member if the field's values are numbers, or arrays of numbers of one length. Returns
/// whether it was added.
bool StreamTableBuilder::addNumbers(TableNumber table, const NamedSteps& way,
                                    const ArrowSchema& field) {
  const FixedArrays arrays(field);
  if (arrays.elements > mostElements || arrays.areOptional)
    return false;
  const auto number = streamNumber(formatOf(*arrays.element));
  if (!number || (arrays.elements == 1 && !arrays.shape.empty() && isListOfOne(table, field)))
    return false;
  addMember(table, way.path, number->type, static_cast<std::uint32_t>(arrays.elements), field,
            number->unit, way.structure(shapeText(arrays.shape)));
  return true;
}

/// Whether a list of fixed length 1 becomes a list that may be missing, and not an array.
bool StreamTableBuilder::isListOfOne(TableNumber table, const ArrowSchema& field) const {
  return isNullable(field) && !isOfObject(table);
}

/// Whether the table is a collection of a datatype's objects, or a vector member of these.
bool StreamTableBuilder::isOfObject(TableNumber table) const {
  while (m_tables[table].kind == TableKind::vectorMember)
    table = m_tables[table].parent;
  return m_tables[table].kind == TableKind::collection && !m_tables[table].type.empty();
}

bool StreamTableBuilder::mayLack(TableNumber table, const std::string& path,
                                 const ArrowSchema& field) const {
  return isOptional(field) || (isNullable(field) && !path.empty() && isOfObject(table));
}

/// Adds members if the field has only numbers, arrays of numbers, or structs of these. Returns
/// whether they were added.
bool StreamTableBuilder::addValues(TableNumber table, const NamedSteps& way,
                                   const ArrowSchema& field) {
  if (addNumbers(table, way, field))
    return true;
  if (isRecord(field)) {
    const std::string_view step = isOptional(field) ? "" : metadataOf(field, "structure");
    for (const ArrowSchema* const inside : fieldsOf(field))
      addPart(table, way.inside(step, nameOf(*inside)), *inside);
    return true;
  }
  const FixedArrays arrays(field);
  if (arrays.shape.empty() || arrays.elements > mostElements || way.path.empty() ||
      !isOfObject(table) || (formatOf(*arrays.element) != "+s" && !arrays.areOptional))
    return false;
  for (std::uint64_t i = 0; i < arrays.elements; ++i)
    addPart(table, way.inside(shapeText(arrays.shape), std::to_string(i)), *arrays.element);
  return true;
}

/// Adds the members and tables for one part of a table's rows.
void StreamTableBuilder::addPart(TableNumber table, const NamedSteps& way,
                                 const ArrowSchema& field) {
  if (const auto values = valuesOfRuns(field))
    return addPart(table, way, *values);
  const std::string& path = way.path;
  const std::string_view format = formatOf(field);
  const std::string name = m_tables[table].name + "." + path;
  const bool isObject =
      m_tables[table].kind == TableKind::collection && !m_tables[table].type.empty();
  const std::string_view datatype = isObject ? metadataOf(field, "datatype") : "";
  if (const std::string_view type = metadataOf(field, "decoration"); isObject && !type.empty())
    return addPart(addTable(name, TableKind::decoration, type, table, field), {}, field);
  if (!datatype.empty() && isReference(field))
    return addReferences(name, TableKind::oneRelation, table, field);
  if (!datatype.empty() && isList(format) && isReference(elementOf(field)))
    return addReferences(name, TableKind::manyRelation, table, field);
  const bool mayLackValues = mayLack(table, path, field);
  const NamedSteps inside = way.inside(optionalStep, optionalValue);
  const bool hasValues = addValues(table, mayLackValues ? inside : way, field);
  if (!hasValues)
    addLists(table, isOptional(field) ? inside : way, field);
  if (hasValues ? mayLackValues : isOptional(field)) {
    const NamedSteps presence = way.inside(optionalStep, optionalPresence);
    addMember(table, presence.path, Scalar::Bool, 1, {}, {}, presence.structure());
  }
}

/// Adds a table for the strings, bytes or lists of a field.
void StreamTableBuilder::addLists(TableNumber table, const NamedSteps& way,
                                  const ArrowSchema& field) {
  const std::string_view format = formatOf(field);
  const std::string name = m_tables[table].name + "." + way.path;
  if (isText(format))
    return addText(name, TableKind::vectorMember, stringType, table, field);
  if (isBytes(format))
    return addText(name, TableKind::vectorMember, nameOf(Scalar::UInt8), table, field);
  if (isList(format))
    return addList(name, TableKind::vectorMember, typeOfElements(table, field), table, field);
  if (format == "n")
    fail(ErrorKind::type, "'", labelOf(table, way.path),
         "' is null everywhere and has no type: leave it out, or give it a type");
  fail(ErrorKind::type, "'", labelOf(table, way.path), "' has ",
       field.dictionary ? "a dictionary" : "values", " of Arrow's type '", typeName(format),
       "', which files do not have");
}

/// Returns the type of the records in a list.
std::string_view StreamTableBuilder::typeOfElements(TableNumber table,
                                                    const ArrowSchema& list) const {
  if (formatOf(elementOf(list)) != "+s")
    return {};
  if (m_isFree)
    return freeRecordName(list);
  return isOfObject(table) ? metadataOf(list, "datatype") : std::string_view();
}

/// Adds the members of rows of this type.
void StreamTableBuilder::addRows(TableNumber table, const ArrowSchema& row) {
  if (isText(formatOf(row)) && !isOptional(row)) {
    m_tables[table].type = stringType;
    return addText(m_tables[table].name + ".text", TableKind::text, nameOf(Scalar::UInt8), table,
                   row);
  }
  addPart(table, {}, row);
  const auto& members = m_tables[table].members;
  if (members.size() == 1 && members[0].name.empty() && members[0].structure.empty())
    m_tables[table].type = nameOf(members[0].type);
}

void StreamTableBuilder::addList(std::string name, TableKind kind, std::string_view type,
                                 TableNumber parent, const ArrowSchema& field) {
  addRows(addTable(std::move(name), kind, type, parent, field), elementOf(field));
}

void StreamTableBuilder::addReferences(std::string name, TableKind kind, TableNumber parent,
                                       const ArrowSchema& field) {
  const TableNumber table =
      addTable(std::move(name), kind, metadataOf(field, "datatype"), parent, field);
  const ArrowSchema& reference = kind == TableKind::manyRelation ? elementOf(field) : field;
  addMember(table, "index", Scalar::Int32, 1, *reference.children[0]);
  m_tables[table].members.back().missing = ~std::uint32_t{0};
  addMember(table, "collection", Scalar::UInt32, 1, {});
}

void StreamTableBuilder::addField(const ArrowSchema& field) {
  if (const auto values = valuesOfRuns(field))
    return addField(*values);
  const std::string_view format = formatOf(field);
  const FixedArrays arrays(field);
  const bool isArray = !arrays.shape.empty() && !arrays.areOptional &&
                       streamNumber(formatOf(*arrays.element)) &&
                       !(fixedSizeOf(format) == 1U && isNullable(field));
  const std::string name(nameOf(field));
  if (isBytes(format))
    return addText(name, TableKind::parameter, nameOf(Scalar::UInt8), Table::none, field);
  if (!isList(format) || isArray)
    return addValue(name, "", field);
  const std::string_view elements = formatOf(elementOf(field));
  const auto datatype = metadataOf(field, "datatype");
  const auto numbers = streamNumber(elements);
  if (elements == "+s" || (numbers && datatype == nameOf(numbers->type)))
    return addList(name, TableKind::collection, datatype, Table::none, field);
  addList(name, TableKind::parameter, "", Table::none, field);
}

void StreamTableBuilder::addValue(std::string name, std::string_view type,
                                  const ArrowSchema& field) {
  const TableNumber table = addTable(name, TableKind::value, type, Table::none, field);
  if (isText(formatOf(field)))
    addPart(table, {}, field);
  else
    addRows(table, field);
  if (m_tables.size() > table + 1) // pages of lists end at other entries than single values
    m_tables[table].group = std::move(name);
  else if (m_tables[table].members.empty())
    fail(ErrorKind::type, "'", name, "' has structs without members, which files cannot have");
}

void StreamTableBuilder::addFree(std::string_view name, TableKind kind, const ArrowSchema& field) {
  m_isFree = true;
  if (const auto values = valuesOfRuns(field))
    return addFree(name, kind, *values);
  if (kind == TableKind::decoration)
    return addPart(addTable(std::string(name), kind, metadataOf(field, "decoration"), 0, field), {},
                   field);
  const bool isOfRecords =
      formatOf(field) == "+s" || (isList(field.format) && formatOf(elementOf(field)) == "+s");
  const std::string_view type = isOfRecords ? freeRecordName(field) : std::string_view();
  if (kind == TableKind::value)
    return addValue(std::string(name), type, field);
  if (isBytes(formatOf(field)))
    return addText(std::string(name), kind, nameOf(Scalar::UInt8), Table::none, field);
  addList(std::string(name), kind, type, Table::none, field);
}

std::vector<TableDefinition> StreamTableBuilder::tables() {
  for (TableDefinition& table : m_tables)
    if (table.members.size() > 1)
      table.rowSize = (table.rowSize + 7) / 8 * 8;
  return std::move(m_tables);
}

/// Returns the tables of some fields. Throws for names that files cannot have.
Schema schemaOfFields(std::span<ArrowSchema* const> fields) {
  StreamTableBuilder builder;
  for (const ArrowSchema* const field : fields)
    builder.addField(*field);
  Schema all;
  for (const TableDefinition& table : builder.tables())
    all.add(table);
  return all;
}

} // namespace

std::vector<TableDefinition> freeTables(std::string_view name, TableKind kind,
                                        const ArrowSchema& field) {
  StreamTableBuilder builder;
  builder.addFree(name, kind, field);
  return builder.tables();
}

Schema tablesOf(const ArrowSchema& schema) { return schemaOfFields(fieldsOf(schema)); }

std::map<std::string, std::string> refusedFields(const ArrowSchema& schema) {
  std::map<std::string, std::string> refused;
  for (ArrowSchema* const& field : fieldsOf(schema)) {
    try {
      (void)schemaOfFields(std::span(&field, 1));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::type && error.kind() != ErrorKind::usage)
        throw;
      refused.emplace(nameOf(*field), error.what());
    }
  }
  return refused;
}

} // namespace kaon::arrow
