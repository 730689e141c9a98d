#include <kaon/formats/root/tree/TableBuilder.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/formats/root/container/RecordKey.h>
#include <kaon/formats/root/objects/Dimensions.h>
#include <kaon/formats/root/tree/BranchPlan.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace kaon::root {
namespace {

using Kind = Shape::Kind;

constexpr std::uint32_t mostInGroup = 64; // bytes of a row; larger rows would make pages short
constexpr std::string_view stringType = "string";

bool isText(const Shape& shape) noexcept {
  return shape.kind == Kind::text || shape.kind == Kind::longText;
}

/// Whether each row has one value, or a fixed number of values.
bool isMember(const Shape& shape) noexcept {
  return shape.kind == Kind::number || shape.kind == Kind::bits || shape.kind == Kind::bitset ||
         shape.kind == Kind::reference;
}

Scalar scalarOf(const Shape& shape) noexcept {
  const bool isNumber = shape.kind == Kind::number || shape.kind == Kind::bitset;
  return isNumber ? shape.form.type : Scalar::UInt32;
}

/// Returns the shape of a list's rows. For pointers, it is the object.
const Shape& elementsOf(const Shape& list) noexcept {
  const Shape& elements = list.parts[0].shape;
  return elements.kind == Kind::pointed ? elements.parts[0].shape : elements;
}

/// Compares characters of names. Branches have '_' for a dot.
bool isSameInBranch(char own, char other) noexcept {
  return own == other || (own == '_' && other == '.');
}

/// Returns the number of the table with these branches, or Table::none.
TableNumber tableInBranches(const Schema& schema, std::string_view name) noexcept {
  if (const TableNumber same = schema.find(name); same != Table::none)
    return same;
  for (TableNumber table = 0; table < schema.size(); ++table)
    if (std::ranges::equal(name, schema.table(table).name, isSameInBranch))
      return table;
  return Table::none;
}

/// Returns the name of a class for tables. Names of templates are dropped, because they only repeat
/// the types of members.
std::string_view typeOf(std::string_view className) noexcept {
  return className.find('<') == std::string_view::npos ? className : std::string_view();
}

/// Returns the name of a class in a path: without namespaces, and "" for templates.
std::string_view lastPart(std::string_view className) noexcept {
  const std::string_view name = typeOf(className);
  return name.substr(name.rfind(':') + 1);
}

MemberDefinition characters() { return {"", Scalar::UInt8, 1, 0}; }

/// The paths of values in the rows of a table.
class Paths {
public:
  /// Returns false if the path is known, inside a known one, or around one.
  [[nodiscard]] bool add(const std::string& path) {
    std::vector<std::string> outer;
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1))
      outer.push_back(path.substr(0, dot));
    const bool isInside =
        std::ranges::any_of(outer, [&](const std::string& each) { return m_paths.contains(each); });
    if (isInside || m_outer.contains(path) || !m_paths.insert(path).second)
      return false;
    m_outer.insert(outer.begin(), outer.end());
    return true;
  }

private:
  std::unordered_set<std::string> m_paths, m_outer; // and the structures around them
};

/// Splits records into the values in their rows: numbers, texts and lists.
void flatten(const NamedValues& values, std::vector<NamedValues>& all) {
  using enum Shape::Kind;
  const bool isRecord =
      values.shape && (values.shape->kind == record || values.shape->kind == pointed);
  if (!isRecord) {
    const bool isColumn =
        !values.shape || (values.shape->kind != nothing && values.shape->kind != leftOut &&
                          values.shape->kind != skipped && values.shape->kind != padding);
    if (isColumn)
      all.push_back(values);
    return;
  }
  const ClassInfo* const info = values.shape->info;
  const std::string_view owner = info ? std::string_view(info->name) : std::string_view();
  for (const ShapePart& part : values.shape->parts) {
    const bool isHidden = part.name.starts_with('@'); // in descriptions of users
    if (isHidden && part.shape.kind == record)
      flatten({values.path, values.unit, &part.shape, {}, owner}, all);
    else if (!isHidden)
      flatten({dotted(values.path, part.name), values.unit, &part.shape, {}, owner}, all);
  }
}

} // namespace

void TableBuilder::refuse(const BranchDescription& branch, std::string_view reason) {
  const std::string_view type = branch.elementName.empty() ? branch.typeName : branch.elementName;
  m_tables.unreadable.push_back({std::string(branch.name),
                                 std::string(type.empty() ? branch.className : type),
                                 std::string(reason)});
}

void TableBuilder::leaveOut(const BranchDescription& branch, const std::string& member,
                            const Shapes::LeftOut& leftOut) {
  std::string name(branch.name);
  while (name.ends_with('.'))
    name.pop_back();
  m_tables.unreadable.push_back({dotted(name, member), leftOut.className, leftOut.reason});
}

ColumnOrigin TableBuilder::originOf(const NamedValues& values, std::uint32_t output) const {
  const bool isStreamed = m_tables.units[values.unit].kind == Unit::Kind::streamed;
  return {isStreamed ? ColumnOrigin::Kind::streamed : ColumnOrigin::Kind::numbers, values.unit,
          output};
}

/// Returns the documentation of a whole unit, or nothing for a part of it.
Documentation TableBuilder::documentationOf(const NamedValues& values) const {
  const Unit& unit = m_tables.units[values.unit];
  return !values.shape || values.shape == &unit.part.shape ? unit.documentation : Documentation{};
}

void TableBuilder::addMember(const NamedValues& values, Rows& rows) {
  const Scalar type = scalarOf(*values.shape);
  const std::uint32_t extent = values.shape->extent;
  Documentation text = documentationOf(values);
  rows.members.push_back(
      {values.path, type, extent, 0, std::move(text.unit), std::move(text.description)});
  rows.members.back().listsBefore = detail::countOfLists(rows.lists.size());
  rows.members.back().structure = structureOf(values.path, values.shape->dimensions);
  rows.origins.push_back(originOf(values, values.shape->output));
}

/// Gives each of the values in the rows of a table its own path. If two have the same path, or one
/// is inside the other, the later one keeps it. It belongs to a derived class, because files list
/// bases first. The earlier one gets the name of its class: "Base.x".
void TableBuilder::makeUnique(std::vector<NamedValues>& values) {
  Paths paths;
  const auto takesPath = [&](NamedValues& each) {
    if (paths.add(each.path))
      return true;
    const std::size_t last = each.path.rfind('.') + 1; // 0 without a dot
    const std::string path =
        each.path.substr(0, last) + dotted(lastPart(each.owner), each.path.substr(last));
    if (!paths.add(path)) {
      refuse(*m_tables.units[each.unit].branch, "two members are called '" + each.path + "'");
      return false;
    }
    each.path = path;
    return true;
  };
  std::vector<NamedValues> kept;
  for (auto each = values.rbegin(); each != values.rend(); ++each)
    if (takesPath(*each))
      kept.push_back(std::move(*each));
  std::ranges::reverse(kept);
  values = std::move(kept);
}

TableBuilder::Rows TableBuilder::rowsOf(const std::vector<NamedValues>& values) {
  std::vector<NamedValues> all;
  for (const NamedValues& each : values)
    flatten(each, all);
  if (all.size() > 1)
    makeUnique(all);
  Rows rows;
  for (NamedValues& each : all)
    if (each.shape && isMember(*each.shape))
      addMember(each, rows);
    else
      rows.lists.push_back(std::move(each));
  rows.size = detail::placeMembers(rows.members);
  return rows;
}

/// Adds properties to a table that branches do not store, from kaon's own description. References
/// are not restored, because tables have other numbers. Returns the number of the stored table.
/// Returns Table::none if it is missing or has other members.
TableNumber TableBuilder::takeStored(TableDefinition& table) const {
  const std::uint32_t number = tableInBranches(m_stored, table.name);
  if (number == Table::none)
    return Table::none;
  const Table stored = m_stored.table(number);
  const auto isSame = [](const MemberDefinition& own, const Member& other) {
    return own.type == other.type && own.extent == other.extent &&
           std::ranges::equal(own.name, nameInBranch(other), isSameInBranch);
  };
  if (!std::ranges::equal(table.members, stored.members, isSame) ||
      (table.kind == TableKind::value) != (stored.kind == TableKind::value) ||
      table.parent != stored.parent || stored.type.starts_with("kaon::"))
    return Table::none;
  for (MemberNumber i = 0; i < table.members.size(); ++i) {
    table.members[i].name = stored.members[i].name;
    table.members[i].structure = stored.members[i].structure;
  }
  if (table.name != stored.name && m_tables.schema.find(stored.name) == Table::none)
    table.name = stored.name;
  if (stored.kind == TableKind::collection) // lists of records keep the kind of their branches
    table.kind = stored.kind;
  table.type = stored.type;
  table.use = stored.use;
  return number;
}

bool TableBuilder::isStored(std::string_view name) const {
  const TableNumber table = tableInBranches(m_stored, name);
  return table != Table::none && m_stored.table(table).isCounted();
}

/// Adds a table. If that fails, the unit's branch, or a part of it, becomes unreadable.
bool TableBuilder::add(TableDefinition table, std::vector<ColumnOrigin> origins,
                       std::uint32_t unit) {
  if (table.name.size() > mostNameBytes) {
    refuse(*m_tables.units[unit].branch, "the names of its parts are too long");
    return false;
  }
  if (table.parent == Table::none)
    if (const auto presence = m_presence.find(takeStored(table)); presence != m_presence.end()) {
      origins[0] = {ColumnOrigin::Kind::numbers, presence->second, 0};
      m_presenceBranches.insert(m_tables.units[presence->second].branch);
    }
  try {
    (void)m_tables.schema.add(table);
  } catch (const Error& error) {
    refuse(*m_tables.units[unit].branch, error.what());
    return false;
  }
  m_tables.origins.insert(m_tables.origins.end(), origins.begin(), origins.end());
  return true;
}

void TableBuilder::addRoot(const std::string& name, std::string_view type,
                           std::optional<ColumnOrigin> counts,
                           const std::vector<NamedValues>& values, std::string description) {
  if (values.empty())
    return;
  Rows rows = rowsOf(values);
  if (rows.members.empty() && rows.lists.empty())
    return refuse(*m_tables.units[values[0].unit].branch, "it has no values");
  const bool isBare =
      rows.members.size() == 1 && rows.members[0].name.empty() && rows.lists.empty();
  TableDefinition table{.name = name, .kind = TableKind::value, .rowSize = rows.size};
  table.type = isBare ? nameOf(rows.members[0].type) : typeOf(type);
  table.description = std::move(description);
  if (isBare)
    table.description = std::exchange(rows.members[0].description, "");
  std::vector<ColumnOrigin> origins;
  if (counts) {
    table.kind = isBare ? TableKind::parameter : TableKind::collection;
    origins = {{ColumnOrigin::Kind::presence}, *counts};
  } else if (!rows.lists.empty() || rows.size > mostInGroup) {
    table.group = name; // its pages differ from those of other values
  }
  origins.insert(origins.end(), rows.origins.begin(), rows.origins.end());
  table.members = std::move(rows.members);
  const std::uint32_t number = m_tables.schema.size();
  if (!add(std::move(table), origins, values[0].unit))
    return;
  for (const NamedValues& list : rows.lists)
    addList(name + "." + list.path, list, number);
}

void TableBuilder::addRootOf(const std::string& name, std::uint32_t unit) {
  const Unit& source = m_tables.units[unit];
  const NamedValues values{"", unit, &source.part.shape, {}};
  if (isText(source.part.shape)) // the characters are a list without a name
    return addRoot(name, "", std::nullopt, {values}, source.documentation.description);
  std::vector<ColumnOrigin> origins{{ColumnOrigin::Kind::presence}};
  origins.push_back(source.kind == Unit::Kind::lists
                        ? ColumnOrigin{ColumnOrigin::Kind::listSizes, unit, 0}
                        : originOf(values, source.part.shape.output));
  const bool isOfRecords =
      source.part.shape.kind == Kind::list && elementsOf(source.part.shape).kind == Kind::record;
  addElements(name, isOfRecords ? TableKind::collection : TableKind::parameter, Table::none,
              std::move(origins), values);
}

/// Adds the table of a list or text in the rows of another table.
void TableBuilder::addList(std::string name, const NamedValues& list, std::uint32_t parent) {
  if (!list.shape)
    return addCounted(name, list, parent);
  const ColumnOrigin counts = originOf(list, list.shape->output);
  if (isText(*list.shape)) {
    const ColumnOrigin text = originOf(list, list.shape->characters);
    add({.name = std::move(name),
         .kind = TableKind::vectorMember,
         .type = std::string(stringType),
         .parent = parent,
         .rowSize = 1,
         .members = {characters()},
         .description = list.path.empty() ? "" : documentationOf(list).description},
        {counts, text}, list.unit);
    return;
  }
  const bool isLists = m_tables.units[list.unit].kind == Unit::Kind::lists;
  const ColumnOrigin sizes{ColumnOrigin::Kind::listSizes, list.unit, 0};
  addElements(name, TableKind::vectorMember, parent, {isLists ? sizes : counts}, list);
}

/// Adds the table of the elements of a list, and the tables below it.
void TableBuilder::addElements(const std::string& name, TableKind kind, std::uint32_t parent,
                               std::vector<ColumnOrigin> counts, const NamedValues& list) {
  TableDefinition table{.name = name, .kind = kind, .parent = parent};
  Documentation text = documentationOf(list);
  table.description = std::move(text.description);
  const std::uint32_t number = m_tables.schema.size();
  if (list.shape->kind == Kind::references) {
    table.type = nameOf(Scalar::UInt32);
    table.rowSize = sizeof(std::uint32_t);
    table.members = {{"", Scalar::UInt32, 1, 0}};
    counts.push_back(originOf(list, list.shape->characters));
    add(std::move(table), counts, list.unit);
    return;
  }
  const NamedValues elements{"", list.unit, &elementsOf(*list.shape), {}};
  if (isText(*elements.shape)) {
    table.type = stringType;
    if (add(std::move(table), counts, list.unit))
      addText(name + ".text", number, elements);
    return;
  }
  Rows rows = rowsOf({elements});
  if (rows.members.empty() && rows.lists.empty())
    return refuse(*m_tables.units[list.unit].branch, "its elements have no values");
  if (rows.members.size() == 1 && rows.members[0].name.empty())
    table.type = nameOf(rows.members[0].type);
  else if (elements.shape->info)
    table.type = typeOf(elements.shape->info->name);
  if (rows.members.size() == 1 && rows.members[0].name.empty())
    rows.members[0].unit = std::move(text.unit);
  table.rowSize = rows.size;
  table.members = std::move(rows.members);
  counts.insert(counts.end(), rows.origins.begin(), rows.origins.end());
  if (!add(std::move(table), counts, list.unit))
    return;
  for (const NamedValues& inside : rows.lists)
    addList(name + "." + inside.path, inside, number);
}

/// Adds the table of a split collection in the rows of another table.
void TableBuilder::addCounted(const std::string& name, const NamedValues& list,
                              std::uint32_t parent) {
  Rows rows = rowsOf(list.inside);
  const std::uint32_t number = m_tables.schema.size();
  std::vector<ColumnOrigin> origins{{ColumnOrigin::Kind::counter, list.unit, 0}};
  origins.insert(origins.end(), rows.origins.begin(), rows.origins.end());
  if (!add({.name = name,
            .kind = TableKind::vectorMember,
            .parent = parent,
            .rowSize = rows.size,
            .members = std::move(rows.members),
            .description = documentationOf(list).description},
           origins, list.unit))
    return;
  for (const NamedValues& inside : rows.lists)
    addList(name + "." + inside.path, inside, number);
}

void TableBuilder::addText(const std::string& name, std::uint32_t parent, const NamedValues& text) {
  add({.name = name,
       .kind = TableKind::text,
       .type = std::string(nameOf(Scalar::UInt8)),
       .parent = parent,
       .rowSize = 1,
       .members = {characters()}},
      {originOf(text, text.shape->output), originOf(text, text.shape->characters)}, text.unit);
}

} // namespace kaon::root
