#include <kaon/formats/root/ntuple/FieldTables.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/formats/root/Documentation.h>
#include <kaon/formats/root/container/RecordKey.h>
#include <kaon/formats/root/ntuple/Elements.h>
#include <kaon/formats/root/ntuple/FieldColumns.h>
#include <kaon/formats/root/objects/Dimensions.h>
#include <kaon/model/SchemaDocument.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace kaon::root {
namespace {

constexpr std::size_t noParent = ~std::size_t{0};
constexpr std::size_t mostDepth = 200;
constexpr std::string_view cardinality = "ROOT::RNTupleCardinality<";

/// Throws the reason why a field is not read.
template <class... Parts>
[[noreturn]] void refuse(Parts&&... parts) {
  fail(ErrorKind::type, std::forward<Parts>(parts)...);
}

bool isString(const NTupleField& info) noexcept { return info.typeName == "std::string"; }

/// Returns the scalar for a C++ type, or nothing for other types.
std::optional<Scalar> scalarNamed(std::string_view type) noexcept {
  struct Named {
    std::string_view name;
    Scalar type;
  };
  static constexpr std::array<Named, 13> known{{{"bool", Scalar::Bool},
                                                {"char", Scalar::Int8},
                                                {"std::byte", Scalar::UInt8},
                                                {"std::int8_t", Scalar::Int8},
                                                {"std::uint8_t", Scalar::UInt8},
                                                {"std::int16_t", Scalar::Int16},
                                                {"std::uint16_t", Scalar::UInt16},
                                                {"std::int32_t", Scalar::Int32},
                                                {"std::uint32_t", Scalar::UInt32},
                                                {"std::int64_t", Scalar::Int64},
                                                {"std::uint64_t", Scalar::UInt64},
                                                {"float", Scalar::Float32},
                                                {"double", Scalar::Float64}}};
  const auto named = std::ranges::find(known, type, &Named::name);
  return named == known.end() ? std::nullopt : std::optional(named->type);
}

void checkName(std::string_view name) {
  if (name.empty() || name.find('.') != std::string_view::npos)
    refuse("it has a part called '", name, "': names must not be empty or contain dots");
}

} // namespace

void FieldTables::add(std::uint32_t number, const std::string& name) {
  checkName(name);
  const NTupleField& info = field(number);
  if (info.role != FieldRole::collection || info.isSoa) {
    addTable(name, TableKind::value, noParent, {});
    map(number, 0, "");
    if (tables[0].members.empty() && tables.size() == 1)
      refuse("there is nothing in it");
    return;
  }
  if (info.children.size() != 1)
    refuse("it is a collection of ", info.children.size(), " fields, not one");
  const NTupleField& element = field(info.children[0]);
  const bool isOfObjects = element.role == FieldRole::record &&
                           !info.typeName.starts_with("std::optional<") &&
                           !info.typeName.starts_with("std::unique_ptr<");
  addTable(name, isOfObjects ? TableKind::collection : TableKind::parameter, noParent,
           endsOf(info, 1));
  map(info.children[0], 0, "");
}

std::size_t FieldTables::addTable(std::string name, TableKind kind, std::size_t parent,
                                  RowRule rule) {
  TableRules table;
  const std::uint64_t above = parent == noParent ? 1 : rules[parent].rowsPerEntry;
  if (rule.kind == RowRule::Kind::one)
    table.rowsPerEntry = above;
  else if (rule.kind == RowRule::Kind::fixed) {
    if (above > 0 && rule.number > std::numeric_limits<std::uint32_t>::max() / above)
      refuse("it is an array of ", rule.number, " elements");
    table.rowsPerEntry = above * rule.number;
  }
  table.rows = std::move(rule);
  rules.push_back(std::move(table));
  m_names.emplace_back();
  TableDefinition definition{.name = std::move(name), .kind = kind};
  if (parent != noParent)
    definition.parent = static_cast<std::uint32_t>(parent);
  tables.push_back(std::move(definition));
  return tables.size() - 1;
}

/// Adds a table of lists in the rows of another table.
std::size_t FieldTables::addTableIn(std::size_t table, const std::string& path, RowRule rule,
                                    std::string_view description) {
  addName(table, path);
  ++m_names[table].lists;
  const std::size_t added =
      addTable(tables[table].name + '.' + path, TableKind::vectorMember, table, std::move(rule));
  tables[added].description = documentationIn(description).description;
  return added;
}

void FieldTables::addName(std::size_t table, const std::string& path) {
  if (!path.empty() && tables[table].name.size() + path.size() > mostNameBytes)
    refuse("the names of its parts have more than ", mostNameBytes, " bytes together");
  Names& names = m_names[table];
  bool isNew = names.leaves.insert(path).second && !names.inner.contains(path);
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
    isNew &= !names.leaves.contains(path.substr(0, dot));
    names.inner.insert(path.substr(0, dot));
  }
  if (!isNew)
    refuse("it has two parts called '", path, "'");
}

/// Adds a member with one value, or with an array of these sizes, the outermost first.
void FieldTables::addMember(std::size_t table, const std::string& path, Scalar type, ValueRule rule,
                            std::span<const std::uint32_t> sizes) {
  addName(table, path);
  std::uint64_t extent = 1;
  for (const std::uint32_t array : sizes)
    extent *= array;
  TableDefinition& definition = tables[table];
  const std::uint64_t size = sizeOf(type);
  const std::uint64_t offset = (definition.rowSize + size - 1) / size * size;
  if (extent > mostRowBytes || offset + extent * size > mostRowBytes)
    refuse("its rows are larger than ", mostRowBytes, " bytes");
  definition.members.push_back({.name = path,
                                .type = type,
                                .extent = static_cast<std::uint32_t>(extent),
                                .offset = static_cast<std::uint32_t>(offset),
                                .structure = structureOf(path, dimensionsOf(sizes, extent)),
                                .listsBefore = detail::countOfLists(m_names[table].lists)});
  definition.rowSize = static_cast<std::uint32_t>(offset + extent * size);
  if (path.empty() && extent == 1)
    definition.type = nameOf(type);
  rules[table].members.push_back(std::move(rule));
}

void FieldTables::describe(MemberDefinition& member, const NTupleField& info) {
  if (info.description.empty())
    return;
  Documentation text = documentationIn(info.description);
  member.description = std::move(text.description);
  member.unit = std::move(text.unit);
}

bool FieldTables::isWrapper(const NTupleField& info) const {
  return info.role == FieldRole::plain && info.arraySize == 0 && info.columns.empty() &&
         info.children.size() == 1;
}

/// Maps a field to a part of each row of a table, or to the whole row if the path is empty.
void FieldTables::map(std::uint32_t number, std::size_t table, const std::string& path) {
  const NTupleField& info = field(number);
  if (++m_depth > mostDepth)
    refuse("its parts are nested too deeply");
  if (info.isSoa)
    refuse("it is a collection stored as arrays of its members");
  const std::size_t before = tables[table].members.size();
  switch (info.role) {
  case FieldRole::plain:
    if (info.arraySize > 0)
      mapArray(number, table, path);
    else if (isWrapper(info))
      map(info.children[0], table, path);
    else if (isString(info))
      mapString(info, table, path);
    else {
      const Number value = numberOf(info);
      addMember(table, path, value.type, value.rule);
    }
    break;
  case FieldRole::record:
    mapRecord(info, table, path);
    break;
  case FieldRole::collection:
    if (info.children.size() != 1)
      refuse("it has a collection of ", info.children.size(), " fields, not one");
    map(info.children[0], addTableIn(table, path, endsOf(info, 1), info.description), "");
    break;
  case FieldRole::variant:
    mapVariant(info, table, path);
    break;
  default:
    refuse("'", info.typeName, "' is stored as a stream of bytes, or in a way that is not known");
  }
  if (info.role == FieldRole::plain && tables[table].members.size() == before + 1)
    describe(tables[table].members.back(), info);
  --m_depth;
}

FieldTables::Number FieldTables::numberOf(const NTupleField& info) const {
  if (info.typeName.starts_with(cardinality)) {
    const bool isWide = info.typeName.find("64") != std::string::npos;
    return {isWide ? Scalar::UInt64 : Scalar::UInt32,
            {ValueRule::Kind::sizes, endsOf(info, 1).columns}};
  }
  const bool isBitset = info.arraySize > 0;
  Number number{Scalar::Bool, {ValueRule::Kind::values, columnsOf(info, 0, 1)}};
  std::optional<Scalar> type = isBitset ? Scalar::Bool : scalarNamed(info.typeName);
  for (const std::uint32_t column : number.rule.columns) {
    const StoredColumn& stored = m_descriptor.columns[column];
    const std::optional<Scalar> own = scalarOf(stored);
    if (!own)
      refuse("its column is of the type ", int(stored.type), " with ", stored.bits,
             " bits, which kaon does not read as numbers");
    type = type.value_or(*own);
    if (!canConvert(*own, *type))
      refuse("its column is of another type than '", info.typeName, "'");
  }
  number.type = *type;
  return number;
}

/// Maps a string to a list of characters. A list of strings gets a table of texts.
void FieldTables::mapString(const NTupleField& info, std::size_t table, const std::string& path) {
  const RowRule ends = endsOf(info, 2);
  const bool isRow = path.empty() && tables[table].kind != TableKind::value;
  const std::size_t text =
      isRow ? addTable(tables[table].name + ".text", TableKind::text, table, ends)
            : addTableIn(table, path, ends);
  addMember(text, "", Scalar::UInt8, {ValueRule::Kind::values, columnsOf(info, 1, 2)});
  for (const std::uint32_t column : rules[text].members[0].columns)
    if (m_descriptor.columns[column].bits != 8 || !scalarOf(m_descriptor.columns[column]))
      refuse("its characters are not bytes");
  tables[isRow ? table : text].type = "string";
}

/// Returns the field at the end of a chain of arrays and wrappers. Adds the sizes of the arrays.
std::uint32_t FieldTables::innermost(std::uint32_t number,
                                     std::vector<std::uint32_t>& sizes) const {
  for (std::uint64_t count = 1;;) {
    const NTupleField& info = field(number);
    if (info.arraySize > 0) {
      if (info.arraySize > mostRowBytes || count > mostRowBytes / info.arraySize)
        refuse("it is an array of more than ", mostRowBytes, " elements");
      count *= info.arraySize;
      sizes.push_back(static_cast<std::uint32_t>(info.arraySize));
      if (sizes.size() > mostDepth)
        refuse("its parts are nested too deeply");
    }
    const bool isArray = info.role == FieldRole::plain && info.arraySize > 0;
    if (info.children.size() != 1 || !(isArray || isWrapper(info)))
      return number;
    number = info.children[0];
  }
}

/// Arrays of numbers become one member; all others become a list.
void FieldTables::mapArray(std::uint32_t number, std::size_t table, const std::string& path) {
  const NTupleField& info = field(number);
  if (info.children.size() > 1)
    refuse("it is an array of ", info.children.size(), " fields, not one");
  std::vector<std::uint32_t> sizes;
  const NTupleField& element = field(innermost(number, sizes));
  if (element.role == FieldRole::plain && element.children.empty() && !isString(element)) {
    const Number each = numberOf(element);
    if (each.rule.kind == ValueRule::Kind::values)
      return addMember(table, path, each.type, each.rule, sizes);
  }
  if (info.children.empty())
    refuse("it is an array of an unknown type");
  map(info.children[0], addTableIn(table, path, {RowRule::Kind::fixed, {}, info.arraySize}), "");
}

void FieldTables::mapRecord(const NTupleField& info, std::size_t table, const std::string& path) {
  // The name of a template only lists the types of its members.
  const bool isTemplate = info.typeName.find('<') != std::string::npos;
  if (path.empty() && !isTemplate)
    tables[table].type = info.typeName;
  for (const std::uint32_t child : info.children) {
    std::string_view name = field(child).name;
    if (name.starts_with(":_")) { // a base class
      const std::string own = tables[table].type;
      map(child, table, m_namesBases ? dotted(path, field(child).typeName) : path);
      tables[table].type = own;
      continue;
    }
    if (path.empty() && table == 0 && name.starts_with(m_prefix))
      name.remove_prefix(m_prefix.size());
    checkName(name);
    map(child, table, dotted(path, name));
  }
}

void FieldTables::mapVariant(const NTupleField& info, std::size_t table, const std::string& path) {
  const std::vector<std::uint32_t> columns = columnsOf(info, 0, 1);
  for (const std::uint32_t column : columns)
    if (m_descriptor.columns[column].type != NTupleColumnType::Switch)
      refuse("the column of its variant does not say which alternative is meant");
  addMember(table, dotted(path, "tag"), Scalar::UInt32, {ValueRule::Kind::tags, columns});
  for (std::size_t k = 0; k < info.children.size(); ++k)
    map(info.children[k],
        addTableIn(table, dotted(path, std::to_string(k)),
                   {RowRule::Kind::alternative, columns, k + 1}),
        "");
}

std::vector<std::uint32_t> FieldTables::columnsOf(const NTupleField& info, std::size_t place,
                                                  std::size_t places) const {
  return columnsAt(m_descriptor, info, place, places);
}

RowRule FieldTables::endsOf(const NTupleField& info, std::size_t places) const {
  return {RowRule::Kind::ends, endColumns(m_descriptor, info, places)};
}

} // namespace kaon::root
