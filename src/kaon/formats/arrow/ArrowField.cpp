#include <kaon/detail/formats/arrow/ArrowField.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/base/SortUnique.h>
#include <kaon/model/MemberTree.h>
#include <kaon/model/TableLabels.h>
#include <kaon/model/TableParts.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace kaon::arrow {
namespace {

[[nodiscard]] bool isRelation(const Table& table) noexcept {
  return table.kind == TableKind::oneRelation || table.kind == TableKind::manyRelation;
}

/// The part of a row under one name: a member, a table below, or parts with names of their own.
struct FieldPart {
  std::string name;
  std::string step = {};                   // the step of the structure at this name
  std::vector<std::uint32_t> members = {}; // several for the elements of an array
  std::optional<ArrowField> field = {};    // set for a table below
  std::vector<FieldPart> parts = {};
  [[nodiscard]] bool isLeaf() const noexcept { return !members.empty() || field; }
};

/// Adds a leaf to the tree of a row: each dot in its name leads one level down. A name stops at a
/// part that is a leaf already, and keeps the rest of its dots.
void put(FieldPart& row, std::string_view name, std::string_view structure, FieldPart leaf) {
  constexpr int mostLevels = 32; // names in files may have any number of dots
  FieldPart* above = &row;
  const auto takeStep = [&structure] {
    const std::size_t dot = structure.find('.');
    const std::string_view step = structure.substr(0, dot);
    structure.remove_prefix(dot == std::string_view::npos ? structure.size() : dot + 1);
    return step;
  };
  for (int level = 0; level < mostLevels; ++level) {
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos)
      break;
    const auto known = std::ranges::find(above->parts, name.substr(0, dot), &FieldPart::name);
    if (known != above->parts.end() && known->isLeaf())
      break;
    above = known != above->parts.end()
                ? &*known
                : &above->parts.emplace_back(FieldPart{std::string(name.substr(0, dot))});
    above->step = takeStep();
    name.remove_prefix(dot + 1);
  }
  leaf.name = name;
  leaf.step = takeStep();
  above->parts.push_back(std::move(leaf));
}

/// Returns one part for all elements of an array. It has the members of all elements: first the
/// members for the first element of the arrays around it, and so on.
FieldPart commonPart(const std::vector<FieldPart>& elements) {
  FieldPart common = elements.front();
  common.members.clear();
  for (std::size_t around = 0; around < elements.front().members.size(); ++around)
    for (const FieldPart& element : elements)
      common.members.push_back(element.members[around]);
  for (std::size_t i = 0; i < common.parts.size(); ++i) {
    std::vector<FieldPart> inside;
    for (const FieldPart& element : elements)
      inside.push_back(element.parts[i]);
    common.parts[i] = commonPart(inside);
  }
  return common;
}

class FieldBuilder {
public:
  FieldBuilder(const Schema& schema, const WantedMembers& wanted)
      : m_schema(schema), m_wanted(wanted) {}

  /// Returns the field with the rows of a table in each entry or row above.
  [[nodiscard]] ArrowField rows(std::uint32_t number) const;
  [[nodiscard]] ArrowField member(std::uint32_t number, std::vector<std::uint32_t> members) const;
  [[nodiscard]] static ArrowField list(std::uint32_t number, const Table& table, ArrowField row);
  [[nodiscard]] static ArrowField text(std::uint32_t number) {
    return {.kind = ArrowFieldKind::text, .table = number, .members = {0}};
  }
  [[nodiscard]] static ArrowField collectionName(std::uint32_t number) {
    return {.kind = ArrowFieldKind::collectionName,
            .name = "collection",
            .table = number,
            .members = {detail::relationCollection},
            .absence = Absence::ofReference};
  }

private:
  [[nodiscard]] ArrowField row(std::uint32_t number) const;
  [[nodiscard]] ArrowField reference(std::uint32_t number) const;
  [[nodiscard]] ArrowField field(FieldPart& part, std::uint32_t number) const;
  [[nodiscard]] ArrowField record(FieldPart& part, std::uint32_t number) const;
  [[nodiscard]] bool isOptional(const FieldPart& part, const Table& table) const;
  [[nodiscard]] bool isWholeArray(const FieldPart& part, const Table& table) const;
  [[nodiscard]] std::string structureOf(std::uint32_t number) const;
  [[nodiscard]] bool isDecoration(std::uint32_t number) const;
  [[nodiscard]] static ArrowField inArrays(ArrowField values, std::uint32_t number,
                                           std::span<const std::uint32_t> shape);
  [[nodiscard]] bool areAlike(const FieldPart& a, const FieldPart& b, const Table& table) const;
  [[nodiscard]] std::vector<std::uint32_t> below(std::uint32_t number) const;

  const Schema& m_schema;
  const WantedMembers& m_wanted;
};

std::vector<std::uint32_t> FieldBuilder::below(std::uint32_t number) const {
  std::vector<std::uint32_t> tables;
  for (const TableNumber under : m_schema.tablesUnder(m_schema.rootOf(number)))
    if (m_schema.table(under).parent == number)
      tables.push_back(under);
  return tables;
}

ArrowField FieldBuilder::list(std::uint32_t number, const Table& table, ArrowField row) {
  row.name = "item";
  ArrowField field{.kind = ArrowFieldKind::list, .table = number};
  field.children.push_back(std::move(row));
  if (table.canBeAbsent())
    field.absence = Absence::ofTable;
  return field;
}

ArrowField FieldBuilder::rows(std::uint32_t number) const {
  const Table table = m_schema.table(number);
  if (isText(table))
    return text(number);
  ArrowField field = table.isCounted() ? list(number, table, row(number)) : row(number);
  if (!table.description.empty())
    field.description = table.description;
  const bool isOfComponents = table.kind == TableKind::vectorMember && table.isCounted() &&
                              field.children.front().kind == ArrowFieldKind::record;
  if (table.kind == TableKind::collection || isRelation(table) || isOfComponents)
    field.datatype = table.type;
  if (isDecoration(number))
    field.decoration = table.type;
  return field;
}

/// Returns the field for one row of a table. A row of a table of strings is a string.
ArrowField FieldBuilder::row(std::uint32_t number) const {
  const Table table = m_schema.table(number);
  if (isRelation(table))
    return reference(number);
  const std::vector<std::uint32_t> under = below(number);
  const auto text = std::ranges::find_if(under, [&](std::uint32_t child) {
    return m_schema.table(child).kind == TableKind::text && m_wanted.contains(child);
  });
  if (text != under.end())
    return rows(*text);
  FieldPart row;
  const auto& members = m_wanted.at(number);
  for (const auto& [isTable, part] : partsInOrder(table, under))
    if (!isTable && std::ranges::find(members, part) != members.end())
      put(row, table.members[part].name, table.members[part].structure,
          {.name = {}, .members = {part}});
    else if (isTable && m_wanted.contains(part))
      put(row, tailOf(m_schema, m_schema.table(part)), structureOf(part),
          {.name = {}, .field = rows(part)});
  if (row.parts.size() == 1 && row.parts.front().name.empty()) {
    ArrowField whole = field(row.parts.front(), number);
    if (whole.absence == Absence::ofMember)
      whole.structure = optionalStep; // numbers in lists can also be null for other reasons
    return whole;
  }
  return record(row, number);
}

ArrowField FieldBuilder::reference(std::uint32_t number) const {
  ArrowField reference{.kind = ArrowFieldKind::record, .table = number};
  for (const std::uint32_t part : m_wanted.at(number)) {
    ArrowField& child = reference.children.emplace_back(
        part == detail::relationCollection ? collectionName(number) : member(number, {part}));
    child.name = m_schema.table(number).members[part].name;
  }
  return reference;
}

ArrowField FieldBuilder::member(std::uint32_t number, std::vector<std::uint32_t> members) const {
  const std::uint32_t first = members.front();
  const Member info = m_schema.table(number).members[first];
  ArrowField values{.kind = ArrowFieldKind::number,
                    .table = number,
                    .members = std::move(members),
                    .type = info.type,
                    .unit = std::string(info.unit),
                    .description = std::string(info.description),
                    .missing = isDecoration(number) ? info.missing : 0};
  const auto shape =
      shapeOf(lastStep(m_schema.pathOfMember(number, first), info.structure), info.extent);
  return inArrays(std::move(values), number, shape);
}

/// Returns the field of arrays with these elements: lists of fixed length, one in the other.
ArrowField FieldBuilder::inArrays(ArrowField values, std::uint32_t number,
                                  std::span<const std::uint32_t> shape) {
  std::string unit = std::exchange(values.unit, {});
  std::string description = std::exchange(values.description, {});
  for (const std::uint32_t size : shape | std::views::reverse) {
    ArrowField array{.kind = ArrowFieldKind::fixedList, .table = number, .size = size};
    values.name = "item";
    array.children.push_back(std::move(values));
    values = std::move(array);
  }
  values.unit = std::move(unit);
  values.description = std::move(description);
  return values;
}

/// Whether a table is a decoration with a field of its own, not a part of an optional or of an
/// array of components.
bool FieldBuilder::isDecoration(std::uint32_t number) const {
  const Table table = m_schema.table(number);
  return table.kind == TableKind::decoration &&
         tailOf(m_schema, table).find('.') == std::string_view::npos;
}

/// Returns the structure of the member in a decoration's table, or of a list's name.
std::string FieldBuilder::structureOf(std::uint32_t number) const {
  const Table table = m_schema.table(number);
  const bool isMember = table.kind == TableKind::decoration && table.members.size() == 1 &&
                        table.members[0].name.empty();
  return isMember ? std::string(table.members[0].structure) : structureOfList(m_schema, number);
}

ArrowField FieldBuilder::field(FieldPart& part, std::uint32_t number) const {
  const Table table = m_schema.table(number);
  ArrowField field;
  if (part.field) {
    field = std::move(*part.field);
  } else if (!part.members.empty()) {
    field = member(number, std::move(part.members));
  } else if (isOptional(part, table)) {
    field = this->field(part.parts[0], number);
    field.absence = Absence::ofMember;
    if (field.structure.empty())
      field.structure = optionalStep; // Readers of rows without a datatype have only this.
    if (const auto& late = part.parts[1].field) {
      field.hasValue = late->members;
      field.presenceTable = late->table;
    } else {
      field.hasValue = std::move(part.parts[1].members);
      if (field.table != number) // lists, whose rows are others
        field.presenceTable = number;
    }
  } else if (isWholeArray(part, table)) {
    FieldPart element = commonPart(part.parts);
    const auto size = static_cast<std::uint32_t>(part.parts.size());
    field = inArrays(this->field(element, number), number, shapeOf(part.step, size));
  } else {
    field = record(part, number);
  }
  field.name = part.name;
  return field;
}

ArrowField FieldBuilder::record(FieldPart& part, std::uint32_t number) const {
  ArrowField record{.kind = ArrowFieldKind::record, .table = number};
  record.structure = part.step;
  for (FieldPart& inside : part.parts)
    record.children.push_back(field(inside, number));
  return record;
}

/// Whether a part is an optional whose value and presence are both wanted. They are members of the
/// row's table, or decorations.
bool FieldBuilder::isOptional(const FieldPart& part, const Table& table) const {
  if (part.step != optionalStep || part.parts.size() != 2 || part.parts[0].name != optionalValue ||
      part.parts[1].name != optionalPresence)
    return false;
  const FieldPart& presence = part.parts[1];
  if (presence.field)
    return presence.field->kind == ArrowFieldKind::number && presence.field->type == Scalar::Bool;
  if (presence.members.empty())
    return false;
  const Member hasValue = table.members[presence.members.front()];
  return hasValue.type == Scalar::Bool && hasValue.extent == 1;
}

/// Whether a part is an array of components with all its elements.
bool FieldBuilder::isWholeArray(const FieldPart& part, const Table& table) const {
  if (!part.step.starts_with('[') || elementsIn(part.step) != part.parts.size())
    return false;
  for (std::size_t i = 0; i < part.parts.size(); ++i)
    if (part.parts[i].name != std::to_string(i) ||
        !areAlike(part.parts[i], part.parts.front(), table))
      return false;
  return true;
}

bool FieldBuilder::areAlike(const FieldPart& a, const FieldPart& b, const Table& table) const {
  if (a.field || b.field || a.members.size() != b.members.size() ||
      a.parts.size() != b.parts.size())
    return false;
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    const Member one = table.members[a.members[i]];
    const Member other = table.members[b.members[i]];
    if (one.type != other.type || one.extent != other.extent)
      return false;
  }
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (a.parts[i].name != b.parts[i].name || !areAlike(a.parts[i], b.parts[i], table))
      return false;
  return true;
}

/// Returns the field for one member, inside the lists of its table and of the tables above.
ArrowField columnField(const Schema& schema, const FieldBuilder& builder, const TableLabels& labels,
                       WantedColumn column) {
  const auto [number, member] = column;
  const Table table = schema.table(number);
  ArrowField field;
  if (isText(table))
    field = FieldBuilder::text(number);
  else if (isRelation(table) && member == detail::relationCollection)
    field = FieldBuilder::collectionName(number);
  else
    field = builder.member(number, {member});
  const auto mayLack = [](ArrowField& values, const std::vector<TableMember>& presences) {
    if (presences.empty())
      return;
    values.absence = Absence::ofMember;
    values.hasValue = {presences.back().member};
    values.presenceTable = presences.back().table;
  };
  std::vector<TableMember> own = presencesOf(schema, number, member);
  std::erase_if(
      own, [&](TableMember presence) { return !haveSameRows(schema, presence.table, number); });
  mayLack(field, isText(table) ? presencesOfList(schema, number) : own);
  std::string unit = std::move(field.unit);
  std::string description = std::move(field.description);
  for (std::uint32_t above = number; above != Table::none; above = schema.table(above).parent)
    if (const Table info = schema.table(above); info.isCounted() && !isText(info)) {
      field = FieldBuilder::list(above, info, std::move(field));
      mayLack(field, presencesOfList(schema, above));
    }
  field.name = keyOf(schema, labels, number, member);
  field.unit = std::move(unit);
  field.description = std::move(description);
  return field;
}

} // namespace

WantedMembers wantedMembers(const Schema& schema, const std::vector<WantedColumn>& columns) {
  WantedMembers wanted;
  for (const auto& [table, member] : columns) {
    if (table >= schema.size() ||
        (member != noMember && member >= schema.table(table).members.size()))
      fail(ErrorKind::usage, "there is no table ", table, " with a member ", member);
    for (std::uint32_t above = table; above != Table::none; above = schema.table(above).parent)
      wanted[above];
    if (member != noMember) {
      wanted[table].push_back(member);
      for (const TableMember presence : presencesOf(schema, table, member))
        wanted[presence.table].push_back(presence.member);
    }
    if (isRelation(schema.table(table)) && member == detail::relationCollection)
      wanted[table].push_back(detail::relationIndex);
    if (isText(schema.table(table)))
      wanted[table].push_back(0);
  }
  for (auto& [table, members] : wanted)
    sortUnique(members);
  return wanted;
}

ArrowField entryField(const Schema& schema, const std::vector<WantedColumn>& columns,
                      FieldNesting nesting) {
  const WantedMembers wanted = wantedMembers(schema, columns);
  const TableLabels labels = labelsOf(schema);
  const FieldBuilder builder(schema, wanted);
  ArrowField entry;
  if (nesting == FieldNesting::columns) {
    for (const WantedColumn& column : columns)
      if (column.member != noMember)
        entry.children.push_back(columnField(schema, builder, labels, column));
    return entry;
  }
  std::set<std::uint32_t> roots;
  for (const auto& [table, member] : columns) {
    const TableNumber root = schema.rootOf(table);
    if (!roots.insert(root).second)
      continue;
    entry.children.push_back(builder.rows(root));
    entry.children.back().name = labels.at(root);
  }
  return entry;
}

} // namespace kaon::arrow
