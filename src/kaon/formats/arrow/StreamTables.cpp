#include <kaon/formats/arrow/StreamTables.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::arrow {
namespace {

constexpr std::string_view stringType = "string";
constexpr std::uint32_t mostElements = 1U << 20; // of an array in a row

bool isText(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }

bool isBytes(std::string_view format) {
  return format == "z" || format == "Z" || format == "vz" || format.starts_with("w:");
}

/// What a type is called in messages.
std::string_view typeName(std::string_view format) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"ti", "interval"}, {"+u", "union"}, {"+v", "list_view"}};
  for (const auto& [begin, name] : names)
    if (format.starts_with(begin))
      return name;
  return format;
}

/// A field need not have a name.
std::string_view nameOfField(const ArrowSchema& field) { return field.name ? field.name : ""; }

/// What a field's metadata have under a key; "" if nothing.
std::string_view metadataOf(const ArrowSchema& field, std::string_view wanted) {
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
    const std::string_view key = text();
    const std::string_view value = text();
    if (key == wanted)
      return value;
  }
  return {};
}

/// The value of a decoration's numbers in objects without one.
std::uint64_t missingOf(const ArrowSchema& field) {
  const std::string_view digits = metadataOf(field, "missing");
  std::uint64_t missing = 0;
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), missing);
  return missing;
}

/// Elements of lists of fixed length, "+w:2", or bytes, "w:2"; nothing for what is of none.
std::optional<std::uint32_t> sizeOf(std::string_view format) {
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

/// Maps are lists of pairs.
bool isList(std::string_view format) {
  return format == "+l" || format == "+L" || format == "+m" || format.starts_with("+w:");
}

bool isNullable(const ArrowSchema& field) { return (field.flags & ARROW_FLAG_NULLABLE) != 0; }

std::string_view formatOf(const ArrowSchema& field) {
  return field.dictionary ? field.dictionary->format : field.format;
}

const ArrowSchema& elementOf(const ArrowSchema& list) {
  if (list.n_children != 1)
    fail(ErrorKind::usage, "a list of Arrow has elements of one type, not ", list.n_children);
  return *list.children[0];
}

/// Whether it is what arrow::streamOf() has for a reference.
bool isReference(const ArrowSchema& field) {
  return std::string_view(field.format) == "+s" && field.n_children == 2 &&
         nameOfField(*field.children[0]) == "index" &&
         std::string_view(field.children[0]->format) == "i" &&
         nameOfField(*field.children[1]) == "collection" && isText(formatOf(*field.children[1]));
}

/// The type of the places in a dictionary, or of where runs end.
Scalar indexOf(const ArrowSchema& index, const std::string& name) {
  const auto number = streamNumber(index.format);
  if (!number || number->form != NumberForm::plain || !number->unit.empty() ||
      isFloat(number->type))
    fail(ErrorKind::type, "'", name, "' has a dictionary whose indices are not integers");
  return number->type;
}

/// Runs of values: the type of these, called as the field is. They are told by where they end.
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

StreamColumn runsOf(StreamColumn values, const ArrowSchema& field) {
  StreamColumn runs{.kind = ColumnKind::runs, .name = values.name};
  runs.index = indexOf(*field.children[0], values.name);
  runs.children.push_back(std::move(values));
  return runs;
}

/// The name of something in a row, and the steps of its structure but for the last part's.
struct Way {
  std::string path = {};
  std::string steps = {};

  [[nodiscard]] Way inside(std::string_view step, std::string_view name) const {
    return path.empty() && step != optionalStep
               ? Way{std::string(name), ""}
               : Way{joined(path, ".", name), joined(steps, step, ".")};
  }
  /// The structure of a member whose last step this is.
  [[nodiscard]] std::string structure(std::string_view step = {}) const {
    std::string all = steps + std::string(step);
    all.erase(all.find_last_not_of('.') + 1);
    return all;
  }
};

class TableBuilder {
public:
  void addField(const ArrowSchema& field);
  [[nodiscard]] StreamTables finished();

private:
  std::uint32_t addTable(std::string name, TableKind kind, std::string_view type,
                         std::uint32_t parent, const ArrowSchema& field);
  void addMember(std::uint32_t table, std::string_view name, Scalar type, std::uint32_t extent,
                 const ArrowSchema& field, std::string_view unit = {}, std::string structure = {});
  [[nodiscard]] StreamColumn rows(std::uint32_t table, const ArrowSchema& row);
  [[nodiscard]] StreamColumn part(std::uint32_t table, const Way& way, const ArrowSchema& field);
  [[nodiscard]] std::optional<StreamColumn> values(std::uint32_t table, const Way& way,
                                                   const ArrowSchema& field);
  [[nodiscard]] StreamColumn elements(std::uint32_t table, const Way& way, std::string_view shape,
                                      std::uint32_t first, const ArrowSchema& field);
  [[nodiscard]] StreamColumn text(std::string name, TableKind kind, std::string_view type,
                                  std::uint32_t parent, const ArrowSchema& field);
  [[nodiscard]] StreamColumn list(std::string name, TableKind kind, std::string_view type,
                                  std::uint32_t parent, const ArrowSchema& field);
  [[nodiscard]] StreamColumn references(std::string name, TableKind kind, std::uint32_t parent,
                                        std::string_view datatype, const ArrowSchema& reference);
  [[nodiscard]] std::optional<StreamColumn> numbers(std::uint32_t table, const Way& way,
                                                    const ArrowSchema& field);
  [[nodiscard]] bool isListOfOne(std::uint32_t table, const ArrowSchema& field) const;
  [[nodiscard]] bool isOfObject(std::uint32_t table) const;
  [[nodiscard]] bool isOptional(std::uint32_t table, const std::string& path,
                                const ArrowSchema& field) const;
  [[nodiscard]] std::string labelOf(std::uint32_t table, const std::string& path) const {
    return path.empty() ? m_tables[table].name : m_tables[table].name + "." + path;
  }

  std::vector<TableDefinition> m_tables;
  std::vector<StreamColumn> m_columns;
};

std::uint32_t TableBuilder::addTable(std::string name, TableKind kind, std::string_view type,
                                     std::uint32_t parent, const ArrowSchema& field) {
  m_tables.push_back({.name = std::move(name),
                      .kind = kind,
                      .type = std::string(type),
                      .parent = parent,
                      .description = std::string(metadataOf(field, "description"))});
  return static_cast<std::uint32_t>(m_tables.size() - 1);
}

void TableBuilder::addMember(std::uint32_t table, std::string_view name, Scalar type,
                             std::uint32_t extent, const ArrowSchema& field, std::string_view unit,
                             std::string structure) {
  TableDefinition& rows = m_tables[table];
  const std::uint32_t size = kaon::sizeOf(type);
  const std::uint32_t offset = (rows.rowSize + size - 1) / size * size;
  rows.members.push_back({.name = std::string(name),
                          .type = type,
                          .extent = extent,
                          .offset = offset,
                          .unit = std::string(unit.empty() ? metadataOf(field, "unit") : unit),
                          .description = std::string(metadataOf(field, "description")),
                          .missing = missingOf(field),
                          .structure = std::move(structure)});
  rows.rowSize = offset + size * extent;
}

/// The characters of strings, or bytes: one for each row above.
StreamColumn TableBuilder::text(std::string name, TableKind kind, std::string_view type,
                                std::uint32_t parent, const ArrowSchema& field) {
  const std::uint32_t table = addTable(std::move(name), kind, type, parent, field);
  addMember(table, "", Scalar::UInt8, 1, {});
  StreamColumn column{.kind = ColumnKind::text,
                      .name = m_tables[table].name,
                      .table = table,
                      .size = sizeOf(formatOf(field)).value_or(0),
                      .canBeAbsent = parent == Table::none,
                      .format = *formatOf(field).data(),
                      .isDictionary = field.dictionary != nullptr};
  if (column.isDictionary)
    column.index = indexOf(field, column.name);
  return column;
}

/// A member, if the field's values are numbers, or arrays of as many.
std::optional<StreamColumn> TableBuilder::numbers(std::uint32_t table, const Way& way,
                                                  const ArrowSchema& field) {
  std::vector<std::uint32_t> shape;
  std::uint64_t elements = 1;
  const ArrowSchema* element = &field;
  while (const auto size = isList(element->format) ? sizeOf(element->format) : std::nullopt) {
    shape.push_back(*size);
    elements *= *size;
    element = &elementOf(*element);
    if (elements > mostElements)
      return std::nullopt;
  }
  if (elements == 1 && isList(field.format) && isListOfOne(table, field)) {
    shape.clear();
    element = &field;
  }
  const ArrowSchema& values = *element;
  const auto number = streamNumber(formatOf(values));
  if (!number)
    return std::nullopt;
  StreamColumn column{.kind = ColumnKind::numbers,
                      .name = labelOf(table, way.path),
                      .table = table,
                      .member = static_cast<std::uint32_t>(m_tables[table].members.size()),
                      .number = *number,
                      .size = static_cast<std::uint32_t>(elements),
                      .nesting = shape,
                      .isDictionary = values.dictionary != nullptr};
  if (column.isDictionary)
    column.index = indexOf(values, column.name);
  addMember(table, way.path, number->type, column.size, field, number->unit,
            way.structure(shapeText(shape)));
  return column;
}

/// Whether a list of fixed length 1 is a list, which may be missing, and no array.
bool TableBuilder::isListOfOne(std::uint32_t table, const ArrowSchema& field) const {
  return isNullable(field) && !isOfObject(table);
}

/// Whether the table is a collection of a datatype's objects, or what its vector members have.
bool TableBuilder::isOfObject(std::uint32_t table) const {
  while (m_tables[table].kind == TableKind::vectorMember)
    table = m_tables[table].parent;
  return m_tables[table].kind == TableKind::collection && !m_tables[table].type.empty();
}

bool TableBuilder::isOptional(std::uint32_t table, const std::string& path,
                              const ArrowSchema& field) const {
  return isNullable(field) &&
         (path.empty() ? metadataOf(field, "structure") == optionalStep : isOfObject(table));
}

/// Marks all that is 0 where a std::optional has no value.
void markOptional(StreamColumn& column) {
  column.isInOptional = true;
  for (StreamColumn& inside : column.children)
    markOptional(inside);
}

/// Members, if the field is made of numbers alone: it, or arrays or structs of them.
std::optional<StreamColumn> TableBuilder::values(std::uint32_t table, const Way& way,
                                                 const ArrowSchema& field) {
  if (auto column = numbers(table, way, field))
    return column;
  if (std::string_view(field.format) == "+s") { // not of a dictionary
    StreamColumn record{.name = labelOf(table, way.path)};
    const std::string_view own = metadataOf(field, "structure");
    const std::string_view step = isNullable(field) && own == optionalStep ? "" : own;
    for (std::int64_t child = 0; child < field.n_children; ++child) {
      const ArrowSchema& inside = *field.children[child];
      record.children.push_back(part(table, way.inside(step, nameOfField(inside)), inside));
    }
    return record;
  }
  std::vector<std::uint32_t> shape;
  std::uint64_t all = 1;
  const ArrowSchema* element = &field;
  while (const auto size = isList(element->format) ? sizeOf(element->format) : std::nullopt) {
    shape.push_back(*size);
    all *= *size;
    element = &elementOf(*element);
    if (all > mostElements)
      return std::nullopt;
  }
  if (shape.empty() || way.path.empty() || !isOfObject(table) || formatOf(*element) != "+s")
    return std::nullopt;
  return elements(table, way, shapeText(shape), 0, field);
}

/// The elements of an array of structs, or of an array in it, whose first one has this number.
StreamColumn TableBuilder::elements(std::uint32_t table, const Way& way, std::string_view shape,
                                    std::uint32_t first, const ArrowSchema& field) {
  const std::uint32_t size = sizeOf(field.format).value_or(1);
  const ArrowSchema& element = elementOf(field);
  std::uint32_t inEach = 1;
  for (const ArrowSchema* inner = &element; isList(inner->format); inner = &elementOf(*inner))
    inEach *= sizeOf(inner->format).value_or(1);
  StreamColumn array{.kind = ColumnKind::elements, .name = labelOf(table, way.path), .size = size};
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t number = first + i * inEach;
    array.children.push_back(isList(element.format)
                                 ? elements(table, way, shape, number, element)
                                 : part(table, way.inside(shape, std::to_string(number)), element));
  }
  return array;
}

/// What a row of a table has under a name.
StreamColumn TableBuilder::part(std::uint32_t table, const Way& way, const ArrowSchema& field) {
  if (const auto values = valuesOfRuns(field))
    return runsOf(part(table, way, *values), field);
  const std::string& path = way.path;
  const std::string_view format = formatOf(field);
  const std::string name = m_tables[table].name + "." + path;
  const bool isObject =
      m_tables[table].kind == TableKind::collection && !m_tables[table].type.empty();
  const std::string_view datatype = isObject ? metadataOf(field, "datatype") : "";
  if (const std::string_view type = metadataOf(field, "decoration"); isObject && !type.empty())
    return part(addTable(name, TableKind::decoration, type, table, field), {}, field);
  if (!datatype.empty() && isReference(field))
    return references(name, TableKind::oneRelation, table, datatype, field);
  if (!datatype.empty() && isList(format) && isReference(elementOf(field)))
    return references(name, TableKind::manyRelation, table, datatype, field);
  const bool mayLack = isOptional(table, path, field);
  if (auto column = values(table, mayLack ? way.inside(optionalStep, optionalValue) : way, field)) {
    if (mayLack) {
      const Way presence = way.inside(optionalStep, optionalPresence);
      column->table = table;
      column->hasValue = static_cast<std::uint32_t>(m_tables[table].members.size());
      addMember(table, presence.path, Scalar::Bool, 1, {}, {}, presence.structure());
      markOptional(*column);
    }
    return std::move(*column);
  }
  if (isText(format))
    return text(name, TableKind::vectorMember, stringType, table, field);
  if (isBytes(format))
    return text(name, TableKind::vectorMember, nameOf(Scalar::UInt8), table, field);
  if (isList(format)) {
    const bool isOfComponents = isOfObject(table) && formatOf(elementOf(field)) == "+s";
    const std::string_view component = isOfComponents ? metadataOf(field, "datatype") : "";
    return list(name, TableKind::vectorMember, component, table, field);
  }
  if (format == "n")
    fail(ErrorKind::type, "'", labelOf(table, path),
         "' is null everywhere and has no type: leave it out, or give it a type");
  fail(ErrorKind::type, "'", labelOf(table, path), "' has ",
       field.dictionary ? "a dictionary" : "values", " of Arrow's type '", typeName(format),
       "', which files do not have");
}

/// The rows of a table whose elements are of this type.
StreamColumn TableBuilder::rows(std::uint32_t table, const ArrowSchema& row) {
  if (isText(formatOf(row))) {
    m_tables[table].type = stringType;
    return text(m_tables[table].name + ".text", TableKind::text, nameOf(Scalar::UInt8), table, row);
  }
  StreamColumn column = part(table, {}, row);
  const auto& members = m_tables[table].members;
  if (members.size() == 1 && members[0].name.empty() && members[0].structure.empty())
    m_tables[table].type = nameOf(members[0].type);
  return column;
}

StreamColumn TableBuilder::list(std::string name, TableKind kind, std::string_view type,
                                std::uint32_t parent, const ArrowSchema& field) {
  const std::uint32_t table = addTable(std::move(name), kind, type, parent, field);
  StreamColumn column{.kind = ColumnKind::list,
                      .name = m_tables[table].name,
                      .table = table,
                      .size = sizeOf(field.format).value_or(0),
                      .canBeAbsent = parent == Table::none,
                      .format = field.format[1]};
  column.children.push_back(rows(table, elementOf(field)));
  return column;
}

StreamColumn TableBuilder::references(std::string name, TableKind kind, std::uint32_t parent,
                                      std::string_view datatype, const ArrowSchema& field) {
  const std::uint32_t table = addTable(std::move(name), kind, datatype, parent, field);
  const bool isMany = kind == TableKind::manyRelation;
  const ArrowSchema& reference = isMany ? elementOf(field) : field;
  StreamColumn record{.name = m_tables[table].name};
  record.children.push_back(*numbers(table, {.path = "index"}, *reference.children[0]));
  m_tables[table].members.back().missing = ~std::uint32_t{0};
  addMember(table, "collection", Scalar::UInt32, 1, {});
  StreamColumn& collection =
      record.children.emplace_back(StreamColumn{.kind = ColumnKind::collectionName,
                                                .name = m_tables[table].name,
                                                .table = table,
                                                .member = 1});
  const ArrowSchema& names = *reference.children[1];
  collection.format = *formatOf(names).data();
  collection.isDictionary = names.dictionary != nullptr;
  if (collection.isDictionary)
    collection.index = indexOf(names, collection.name);
  if (!isMany)
    return record;
  StreamColumn column{.kind = ColumnKind::list,
                      .name = m_tables[table].name,
                      .table = table,
                      .size = sizeOf(field.format).value_or(0),
                      .format = field.format[1]};
  column.children.push_back(std::move(record));
  return column;
}

void TableBuilder::addField(const ArrowSchema& field) {
  if (const auto values = valuesOfRuns(field)) {
    addField(*values);
    m_columns.back() = runsOf(std::move(m_columns.back()), field);
    return;
  }
  const std::string_view format = formatOf(field);
  const auto first = static_cast<std::uint32_t>(m_tables.size());
  const ArrowSchema* element = &field;
  while (isList(element->format) && sizeOf(element->format))
    element = &elementOf(*element);
  const bool isArray = element != &field && streamNumber(formatOf(*element)) &&
                       !(sizeOf(format) == 1U && isNullable(field));
  const std::string name(nameOfField(field));
  if (isBytes(format)) {
    m_columns.push_back(
        text(name, TableKind::parameter, nameOf(Scalar::UInt8), Table::none, field));
  } else if (isList(format) && !isArray) {
    const std::string_view elements = formatOf(elementOf(field));
    const auto datatype = metadataOf(field, "datatype");
    const auto numbers = streamNumber(elements);
    const bool isCollection = elements == "+s" || (numbers && datatype == nameOf(numbers->type));
    m_columns.push_back(isCollection
                            ? list(name, TableKind::collection, datatype, Table::none, field)
                            : list(name, TableKind::parameter, "", Table::none, field));
  } else {
    const std::uint32_t table = addTable(name, TableKind::value, "", Table::none, field);
    m_columns.push_back(isText(format) ? part(table, {}, field) : rows(table, field));
    if (m_tables.size() > first + 1) // pages of lists end elsewhere than those of other values
      m_tables[first].group = name;
    else if (m_tables[first].members.empty())
      fail(ErrorKind::type, "'", name, "' has structs without members, which files cannot have");
  }
}

StreamTables TableBuilder::finished() {
  for (TableDefinition& table : m_tables)
    if (table.members.size() > 1)
      table.rowSize = (table.rowSize + 7) / 8 * 8;
  return {std::move(m_tables), std::move(m_columns)};
}

} // namespace

StreamTables tablesOf(const ArrowSchema& schema) {
  if (std::string_view(schema.format) != "+s")
    fail(ErrorKind::usage,
         "a stream of entries must have structs, as tables have, not Arrow's type '", schema.format,
         "': give columns by name");
  TableBuilder builder;
  for (std::int64_t field = 0; field < schema.n_children; ++field)
    builder.addField(*schema.children[field]);
  return builder.finished();
}

std::map<std::string, std::string> refusedFields(const ArrowSchema& schema) {
  std::map<std::string, std::string> refused;
  for (std::int64_t field = 0; field < schema.n_children; ++field) {
    try {
      TableBuilder().addField(*schema.children[field]);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::type)
        throw;
      refused.emplace(nameOfField(*schema.children[field]), error.what());
    }
  }
  return refused;
}

} // namespace kaon::arrow
