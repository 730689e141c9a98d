#include <kaon/formats/arrow/StreamTables.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace kaon::arrow {
namespace {

constexpr std::string_view stringType = "string";

std::optional<Scalar> numberOf(std::string_view format) {
  constexpr std::string_view formats = "bcCsSiIlLfg";
  const std::size_t place = format.size() == 1 ? formats.find(format) : std::string_view::npos;
  return place == std::string_view::npos ? std::nullopt : std::optional(static_cast<Scalar>(place));
}

bool isText(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }

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

/// Elements of lists of fixed length; nothing for what is no such list.
std::optional<std::uint32_t> sizeOf(std::string_view format) {
  constexpr std::string_view head = "+w:";
  if (!format.starts_with(head))
    return std::nullopt;
  constexpr std::uint32_t most = 1U << 20;
  std::uint32_t size = 0;
  (void)std::from_chars(format.data() + head.size(), format.data() + format.size(), size);
  if (size == 0 || size > most)
    fail(ErrorKind::type, "lists of ", format.substr(head.size()),
         " elements each are none that files have");
  return size;
}

/// Maps are lists of pairs.
bool isList(std::string_view format) {
  return format == "+l" || format == "+L" || format == "+m" || sizeOf(format);
}

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
         std::string_view(field.children[0]->name) == "index" &&
         std::string_view(field.children[0]->format) == "i" &&
         std::string_view(field.children[1]->name) == "collection" &&
         isText(formatOf(*field.children[1]));
}

class TableBuilder {
public:
  void addField(const ArrowSchema& field);
  [[nodiscard]] StreamTables finished();

private:
  std::uint32_t addTable(std::string name, TableKind kind, std::string_view type,
                         std::uint32_t parent, const ArrowSchema& field);
  void addMember(std::uint32_t table, std::string_view name, Scalar type, std::uint32_t extent,
                 const ArrowSchema& field);
  [[nodiscard]] StreamColumn rows(std::uint32_t table, const ArrowSchema& row);
  [[nodiscard]] StreamColumn part(std::uint32_t table, const std::string& path,
                                  const ArrowSchema& field);
  [[nodiscard]] std::optional<StreamColumn> values(std::uint32_t table, const std::string& path,
                                                   const ArrowSchema& field);
  [[nodiscard]] StreamColumn text(std::string name, TableKind kind, std::string_view type,
                                  std::uint32_t parent, const ArrowSchema& field);
  [[nodiscard]] StreamColumn list(std::string name, TableKind kind, std::string_view type,
                                  std::uint32_t parent, const ArrowSchema& field);
  [[nodiscard]] StreamColumn references(std::string name, TableKind kind, std::uint32_t parent,
                                        std::string_view datatype, const ArrowSchema& reference);
  [[nodiscard]] std::optional<StreamColumn> numbers(std::uint32_t table, const std::string& path,
                                                    const ArrowSchema& field);
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
                             std::uint32_t extent, const ArrowSchema& field) {
  TableDefinition& rows = m_tables[table];
  const std::uint32_t size = kaon::sizeOf(type);
  const std::uint32_t offset = (rows.rowSize + size - 1) / size * size;
  rows.members.push_back({.name = std::string(name),
                          .type = type,
                          .extent = extent,
                          .offset = offset,
                          .unit = std::string(metadataOf(field, "unit")),
                          .description = std::string(metadataOf(field, "description"))});
  rows.rowSize = offset + size * extent;
}

/// The characters of strings, one for each row above.
StreamColumn TableBuilder::text(std::string name, TableKind kind, std::string_view type,
                                std::uint32_t parent, const ArrowSchema& field) {
  const std::uint32_t table = addTable(std::move(name), kind, type, parent, field);
  addMember(table, "", Scalar::UInt8, 1, {});
  StreamColumn column{.kind = ColumnKind::text,
                      .name = m_tables[table].name,
                      .table = table,
                      .format = *formatOf(field).data(),
                      .isDictionary = field.dictionary != nullptr};
  if (column.isDictionary) {
    const auto index = numberOf(field.format);
    if (!index || *index == Scalar::Bool)
      fail(ErrorKind::type, "'", column.name, "' is a dictionary whose places are no numbers");
    column.index = *index;
  }
  return column;
}

/// A member, if the field's values are numbers, or arrays of as many.
std::optional<StreamColumn> TableBuilder::numbers(std::uint32_t table, const std::string& path,
                                                  const ArrowSchema& field) {
  const auto size = sizeOf(field.format);
  const ArrowSchema& values = size ? elementOf(field) : field;
  const auto type = numberOf(values.format);
  if (!type || values.dictionary)
    return std::nullopt;
  StreamColumn column{.kind = ColumnKind::numbers,
                      .name = labelOf(table, path),
                      .table = table,
                      .member = static_cast<std::uint32_t>(m_tables[table].members.size()),
                      .type = *type,
                      .size = size.value_or(1),
                      .isNested = size.has_value()};
  addMember(table, path, *type, column.size, field);
  return column;
}

/// Whether the table is a collection of a datatype's objects, or what its vector members have.
bool TableBuilder::isOfObject(std::uint32_t table) const {
  while (m_tables[table].kind == TableKind::vectorMember)
    table = m_tables[table].parent;
  return m_tables[table].kind == TableKind::collection && !m_tables[table].type.empty();
}

bool TableBuilder::isOptional(std::uint32_t table, const std::string& path,
                              const ArrowSchema& field) const {
  return (field.flags & ARROW_FLAG_NULLABLE) != 0 && !path.empty() && isOfObject(table);
}

/// Marks all that is 0 where a std::optional has no value.
void markOptional(StreamColumn& column) {
  column.isInOptional = true;
  for (StreamColumn& inside : column.children)
    markOptional(inside);
}

/// Members, if the field is made of numbers alone: it, or arrays or structs of them.
std::optional<StreamColumn> TableBuilder::values(std::uint32_t table, const std::string& path,
                                                 const ArrowSchema& field) {
  if (auto column = numbers(table, path, field))
    return column;
  const std::string_view format = formatOf(field);
  if (format == "+s") {
    StreamColumn record{.name = labelOf(table, path)};
    for (std::int64_t child = 0; child < field.n_children; ++child) {
      const ArrowSchema& inside = *field.children[child];
      record.children.push_back(
          part(table, path.empty() ? inside.name : path + "." + inside.name, inside));
    }
    return record;
  }
  if (const auto size = sizeOf(format);
      size && isOfObject(table) && formatOf(elementOf(field)) == "+s") {
    StreamColumn array{.kind = ColumnKind::elements, .name = labelOf(table, path), .size = *size};
    for (std::uint32_t i = 0; i < *size; ++i)
      array.children.push_back(part(table, path + "." + std::to_string(i), elementOf(field)));
    return array;
  }
  return std::nullopt;
}

/// What a row of a table has under a name.
StreamColumn TableBuilder::part(std::uint32_t table, const std::string& path,
                                const ArrowSchema& field) {
  const std::string_view format = formatOf(field);
  const std::string name = m_tables[table].name + "." + path;
  const bool isObject =
      m_tables[table].kind == TableKind::collection && !m_tables[table].type.empty();
  const std::string_view datatype = isObject ? metadataOf(field, "datatype") : "";
  if (!datatype.empty() && isReference(field))
    return references(name, TableKind::oneRelation, table, datatype, field);
  if (!datatype.empty() && isList(format) && isReference(elementOf(field)))
    return references(name, TableKind::manyRelation, table, datatype, field);
  const bool mayLack = isOptional(table, path, field);
  if (auto column = values(table, mayLack ? path + ".value" : path, field)) {
    if (mayLack) {
      column->table = table;
      column->hasValue = static_cast<std::uint32_t>(m_tables[table].members.size());
      addMember(table, path + ".has_value", Scalar::Bool, 1, {});
      markOptional(*column);
    }
    return std::move(*column);
  }
  if (isText(format))
    return text(name, TableKind::vectorMember, stringType, table, field);
  if (isList(format))
    return list(name, TableKind::vectorMember, "", table, field);
  fail(ErrorKind::type, "'", labelOf(table, path), "' has values of Arrow's type '", format,
       "', which files do not have");
}

/// The rows of a table whose elements are of this type.
StreamColumn TableBuilder::rows(std::uint32_t table, const ArrowSchema& row) {
  if (isText(formatOf(row))) {
    m_tables[table].type = stringType;
    return text(m_tables[table].name + ".text", TableKind::text, nameOf(Scalar::UInt8), table, row);
  }
  StreamColumn column = part(table, "", row);
  const auto& members = m_tables[table].members;
  if (members.size() == 1 && members[0].name.empty() && members[0].extent == 1)
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
  record.children.push_back(*numbers(table, "index", *reference.children[0]));
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
  collection.index = numberOf(names.format).value_or(Scalar::Int32);
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
  const std::string_view format = formatOf(field);
  const auto first = static_cast<std::uint32_t>(m_tables.size());
  if (isText(format) && (field.flags & ARROW_FLAG_NULLABLE) != 0) {
    const std::uint32_t table =
        addTable(field.name, TableKind::parameter, stringType, Table::none, field);
    StreamColumn column{
        .kind = ColumnKind::single, .name = field.name, .table = table, .canBeAbsent = true};
    column.children.push_back(rows(table, field));
    m_columns.push_back(std::move(column));
  } else if (isList(format) && !(sizeOf(format) && numberOf(elementOf(field).format))) {
    const bool isOfRecords = formatOf(elementOf(field)) == "+s";
    m_columns.push_back(isOfRecords
                            ? list(field.name, TableKind::collection, metadataOf(field, "datatype"),
                                   Table::none, field)
                            : list(field.name, TableKind::parameter, "", Table::none, field));
  } else {
    const std::uint32_t table = addTable(field.name, TableKind::value, "", Table::none, field);
    m_columns.push_back(isText(format) ? part(table, "", field) : rows(table, field));
    if (m_tables.size() > first + 1) // pages of lists end elsewhere than those of other values
      m_tables[first].group = field.name;
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
    fail(ErrorKind::usage, "a stream of entries is one of structs, not of Arrow's type '",
         schema.format, "'");
  TableBuilder builder;
  for (std::int64_t field = 0; field < schema.n_children; ++field)
    builder.addField(*schema.children[field]);
  return builder.finished();
}

} // namespace kaon::arrow
