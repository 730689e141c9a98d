#include <kaon/formats/root/ntuple/FieldPlan.h>

#include <kaon/formats/root/Documentation.h>
#include <kaon/formats/root/ntuple/ClassChecksum.h>
#include <kaon/formats/root/ntuple/ElementEncoding.h>

#include <kaon/model/Structure.h>
#include <kaon/model/TableParts.h>
#include <kaon/model/TuplePlace.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::root {
namespace {

constexpr std::uint32_t top = ~std::uint32_t{0};

std::string_view typeNameOf(Scalar type) noexcept {
  constexpr std::array<std::string_view, detail::scalarKinds> names{
      "bool",          "std::int8_t",  "std::uint8_t",  "std::int16_t",
      "std::uint16_t", "std::int32_t", "std::uint32_t", "std::int64_t",
      "std::uint64_t", "float",        "double"};
  return names[static_cast<std::size_t>(type)];
}

/// Returns the type of arrays of these sizes, the outermost first.
std::string arrayType(std::string_view type, std::span<const std::uint32_t> sizes) {
  std::string name(type);
  for (const std::uint32_t size : sizes | std::views::reverse)
    name = "std::array<" + name + "," + std::to_string(size) + ">";
  return name;
}

/// Replaces characters that ROOT does not allow in the names of fields.
std::string allowedName(std::string_view name) {
  std::string allowed(name.empty() ? "value" : name);
  for (char& c : allowed)
    if (std::string_view("./\\ ").find(c) != std::string_view::npos ||
        static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      c = '_';
  return allowed;
}

/// Returns the unit of a table's rows if they are bare values.
std::string_view unitOf(const Table& table) {
  return table.members.size() == 1 && table.members[0].name.empty() ? table.members[0].unit
                                                                    : std::string_view();
}

/// A part of a table's rows: a member, or a table below it.
struct RowField {
  std::string_view path; ///< "" if it is the whole row
  bool isTable;
  std::uint32_t number;
};

/// Puts the parts of a pair or tuple in order.
void orderTuple(std::vector<RowField>& parts, std::size_t skipped) {
  const auto placeOf = [&](const RowField& part) {
    const std::string_view path = part.path.substr(skipped);
    return placeInTuple(path.substr(0, path.find('.')));
  };
  if (std::ranges::all_of(parts, [&](const RowField& part) { return placeOf(part).has_value(); }))
    std::ranges::stable_sort(parts, {}, placeOf);
}

class FieldPlanner {
public:
  FieldPlanner(const Schema& schema, bool isCompressed, const FieldForm& form)
      : m_schema(schema), m_isCompressed(isCompressed), m_form(form), m_children(schema.size()) {
    for (std::uint32_t table = 0; table < schema.size(); ++table)
      if (const Table info = schema.table(table); !info.isRoot())
        m_children[info.parent].push_back(table);
  }

  FieldPlan plan(const std::vector<std::uint32_t>& absent) {
    for (const std::uint32_t root : m_form.roots)
      planTable(root, top, m_schema.table(root).name);
    for (std::uint32_t table = 0; table < m_schema.size() && m_form.roots.empty(); ++table)
      if (m_schema.table(table).isRoot())
        planTable(table, top, m_schema.table(table).name);
    for (const std::uint32_t table : absent) {
      const Table info = m_schema.table(table);
      const std::uint32_t field = addField(top, std::string(info.name) + "_present", "bool");
      addColumn(field, NTupleColumnType::Bit, m_schema.presenceColumn(table));
    }
    return std::move(m_plan);
  }

private:
  std::uint32_t addField(std::uint32_t parent, std::string_view wanted, std::string_view typeName,
                         FieldRole role = FieldRole::plain) {
    const auto number = static_cast<std::uint32_t>(m_plan.fields.size());
    const bool isTop = parent == top;
    NTupleField& field = m_plan.fields.emplace_back();
    field.role = role;
    field.parent = isTop ? number : parent;
    field.name = uniqueName(parent, allowedName(wanted));
    field.typeName = typeName;
    (isTop ? m_plan.topFields : m_plan.fields[parent].children).push_back(number);
    return number;
  }

  std::string uniqueName(std::uint32_t parent, const std::string& wanted) {
    std::set<std::string>& names = m_names[parent];
    std::string name = wanted;
    for (int count = 2; !names.insert(name).second; ++count)
      name = wanted + '_' + std::to_string(count);
    return name;
  }

  void addColumn(std::uint32_t field, NTupleColumnType type, std::uint32_t source) {
    m_plan.fields[field].columns.push_back(static_cast<std::uint32_t>(m_plan.columns.size()));
    m_plan.columns.push_back({.type = type, .bits = bitsOf(type), .field = field});
    m_plan.sources.push_back(source);
  }

  [[nodiscard]] NTupleColumnType endType() const noexcept {
    return indexTypeFor(m_isCompressed, m_form.hasWideEnds);
  }

  [[nodiscard]] NTupleField& field(std::uint32_t number) { return m_plan.fields[number]; }

  /// Whether the rows of a table are the characters of a string.
  [[nodiscard]] bool isText(std::uint32_t table) const {
    const Table info = m_schema.table(table);
    const bool isString = info.kind == TableKind::text ||
                          (info.kind == TableKind::vectorMember && info.type == "string");
    return isString && info.members.size() == 1 && info.members[0].name.empty() &&
           info.members[0].extent == 1 && sizeOf(info.members[0].type) == 1 &&
           m_children[table].empty();
  }

  /// Whether the type of a table is the class name of its rows.
  [[nodiscard]] bool isOfClass(std::uint32_t table) const {
    const TableKind kind = m_schema.table(table).kind;
    return kind == TableKind::collection || kind == TableKind::vectorMember;
  }

  /// Returns the sizes of a member's arrays, the outermost first.
  [[nodiscard]] std::vector<std::uint32_t> sizesOf(std::uint32_t table,
                                                   std::uint32_t member) const {
    const Member info = m_schema.table(table).members[member];
    return shapeOf(lastStep(m_schema.pathOfMember(table, member), info.structure), info.extent);
  }

  [[nodiscard]] std::vector<RowField> partsOf(std::uint32_t table) const {
    const Table info = m_schema.table(table);
    std::vector<RowField> parts;
    for (const auto& [isTable, number] : partsInOrder(info, m_children[table])) {
      std::string_view path;
      if (!isTable)
        path = info.members[number].name;
      else if (const Table below = m_schema.table(number); below.kind != TableKind::text)
        path = below.name.substr(info.name.size() + 1);
      parts.push_back({path, isTable, number});
    }
    return parts;
  }

  /// Plans all rows of a table under one entry or row.
  std::uint32_t planTable(std::uint32_t table, std::uint32_t parent, std::string_view name) {
    const Table info = m_schema.table(table);
    std::uint32_t number;
    if (!info.isCounted()) {
      number = planRow(table, parent, name);
    } else if (isText(table)) {
      number = addField(parent, name, "std::string");
      addColumn(number, endType(), m_schema.countsColumn(table));
      addColumn(number, NTupleColumnType::Char, m_schema.place(table, 0).column);
    } else {
      number = addField(parent, name, "", FieldRole::collection);
      addColumn(number, endType(), m_schema.countsColumn(table));
      const NTupleField element = field(planRow(table, number, "_0"));
      if (!element.typeName.empty())
        field(number).typeName = "std::vector<" + element.typeName + ">";
      if (!element.typeAlias.empty())
        field(number).typeAlias = "std::vector<" + element.typeAlias + ">";
    }
    if (std::string text = textOf(info.description, unitOf(info)); !text.empty())
      field(number).description = std::move(text);
    return number;
  }

  /// Plans one row of a table.
  std::uint32_t planRow(std::uint32_t table, std::uint32_t parent, std::string_view name) {
    const std::vector<RowField> parts = partsOf(table);
    if (parts.size() == 1 && parts[0].path.empty())
      return planPart(table, parts[0], parent, name);
    // Of a row that is an optional.
    const std::size_t skipped = !parts.empty() && parts[0].path.starts_with('.') ? 1 : 0;
    return planRecord(table, parts, parent, name, {skipped, 1});
  }

  /// The place of a record in the rows of its table.
  struct RecordPlace {
    std::size_t skipped;  ///< characters at the beginning of its parts' paths
    std::uint32_t perRow; ///< records in a row
  };

  /// Plans a record of parts, or a std::array of these records.
  std::uint32_t planRecord(std::uint32_t table, std::vector<RowField> parts, std::uint32_t parent,
                           std::string_view name, RecordPlace place) {
    std::string path(m_schema.table(table).name);
    if (place.skipped > 0)
      path.append(".").append(parts[0].path.substr(0, place.skipped - 1));
    const auto known = m_form.classes.find(path);
    if (known == m_form.classes.end()) {
      const std::uint32_t record = addField(parent, name, "", FieldRole::record);
      if (place.skipped == 0 && isOfClass(table))
        field(record).typeAlias = m_schema.table(table).type;
      orderTuple(parts, place.skipped);
      planParts(table, parts, record, place);
      return record;
    }
    const FieldForm::RecordClass& called = known->second;
    std::ranges::stable_sort(parts, {}, [&](const RowField& part) {
      return std::ranges::find(called.parts, part.path.substr(place.skipped)) -
             called.parts.begin();
    });
    std::uint32_t outer = top, above = parent;
    std::string_view inner = name;
    if (called.arraySize > 0) {
      std::string array = "std::array<";
      array.append(called.name).append(",").append(std::to_string(called.arraySize)).append(">");
      above = outer = addField(parent, name, array);
      field(outer).arraySize = called.arraySize;
      place.perRow *= called.arraySize;
      inner = "_0";
    }
    const std::uint32_t record = addField(above, inner, called.name, FieldRole::record);
    field(record).classVersion = called.version;
    planParts(table, parts, record, place);
    if (!called.name.starts_with("std::"))
      field(record).classChecksum = classChecksum(m_plan.fields, field(record));
    return outer == top ? record : outer;
  }

  /// Plans the parts of a record. Parts whose paths share the first name before a dot form a
  /// record, at the place of the first one.
  void planParts(std::uint32_t table, std::span<const RowField> parts, std::uint32_t record,
                 RecordPlace place) {
    std::set<std::string_view> planned;
    for (const RowField& part : parts) {
      const std::string_view path = part.path.substr(place.skipped);
      const std::size_t dot = path.find('.');
      if (dot == std::string_view::npos) {
        planPart(table, part, record, path, place.perRow);
        continue;
      }
      const std::string_view prefix = path.substr(0, dot + 1);
      if (!planned.insert(prefix).second)
        continue;
      std::vector<RowField> inner;
      for (const RowField& other : parts)
        if (other.path.substr(place.skipped).starts_with(prefix))
          inner.push_back(other);
      planRecord(table, inner, record, path.substr(0, dot),
                 {place.skipped + dot + 1, place.perRow});
    }
  }

  std::uint32_t planPart(std::uint32_t table, const RowField& part, std::uint32_t parent,
                         std::string_view name, std::uint32_t recordsPerRow = 1) {
    if (part.isTable)
      return planTable(part.number, parent, name);
    const Member member = m_schema.table(table).members[part.number];
    const std::string_view type = typeNameOf(member.type);
    std::uint32_t number = addField(parent, name, type);
    field(number).description = textOf(member.description, member.unit);
    const std::uint32_t whole = number;
    std::vector<std::uint32_t> sizes = sizesOf(table, part.number);
    if (recordsPerRow > 1)
      sizes = {member.extent / recordsPerRow};
    for (std::size_t i = 0; i < sizes.size() && member.extent > recordsPerRow; ++i) {
      field(number).arraySize = sizes[i];
      field(number).typeName = arrayType(type, std::span(sizes).subspan(i));
      number = addField(number, "_0", type);
    }
    addColumn(number, columnTypeFor(member.type, m_isCompressed),
              m_schema.place(table, part.number).column);
    return whole;
  }

  const Schema& m_schema;
  bool m_isCompressed;
  const FieldForm& m_form;
  std::vector<std::vector<std::uint32_t>> m_children;     // by table
  std::map<std::uint32_t, std::set<std::string>> m_names; // of fields under each
  FieldPlan m_plan;
};

} // namespace

FieldPlan planFields(const Schema& schema, const std::vector<std::uint32_t>& absent,
                     bool isCompressed, const FieldForm& form) {
  return FieldPlanner(schema, isCompressed, form).plan(absent);
}

} // namespace kaon::root
