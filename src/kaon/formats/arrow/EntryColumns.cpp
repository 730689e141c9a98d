#include <kaon/formats/arrow/EntryColumns.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/arrow/RowMembers.h>
#include <kaon/formats/arrow/StreamField.h>
#include <kaon/formats/arrow/StreamNumbers.h>
#include <kaon/model/Structure.h>
#include <kaon/model/TableLabels.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::arrow {
namespace {

/// A field of a record, and its number. The pointer is null if the field is missing.
struct Given {
  const ArrowSchema* field = nullptr;
  TableNumber number = Table::none;
};

Given findField(const ArrowSchema& record, std::string_view name) {
  const auto fields = fieldsOf(record);
  for (std::uint32_t i = 0; i < fields.size(); ++i)
    if (nameOf(*fields[i]) == name)
      return {fields[i], i};
  return {};
}

[[noreturn]] void failAt(const std::string& where, std::string_view wanted,
                         const ArrowSchema& field) {
  fail(ErrorKind::type, "'", where, "' needs ", wanted, ", not values of type ", typeText(field));
}

/// Whether a field has strings or only nulls.
bool mayBeText(const ArrowSchema& field) {
  return isText(formatOf(field)) || isNull(formatOf(field));
}

StreamColumn listColumn(const std::string& where, TableNumber table, const ArrowSchema& field) {
  if (!isList(field.format) && !isNull(field.format))
    failAt(where, "lists", field);
  StreamColumn column{.kind = ColumnKind::list, .name = where, .table = table};
  column.isNull = isNull(field.format);
  if (!column.isNull) {
    column.size = fixedSizeOf(field.format).value_or(0);
    column.format = field.format[1];
  }
  return column;
}

/// Sets the form of a field's strings, bytes or names of collections in its column.
void takeTexts(StreamColumn& column, const ArrowSchema& field) {
  const std::string_view format = formatOf(field);
  column.isNull = isNull(format);
  column.size = isBytes(format) ? fixedSizeOf(format).value_or(0) : 0;
  column.format = format.front();
  takeDictionary(column, field);
}

/// Returns the column for the names of collections.
StreamColumn names(TableMember place, const ArrowSchema& field, const std::string& where) {
  StreamColumn column{.kind = ColumnKind::collectionName,
                      .name = where,
                      .table = place.table,
                      .member = place.member};
  if (!mayBeText(field))
    failAt(where, "the names of collections", field);
  takeTexts(column, field);
  return column;
}

class ColumnPlanner {
public:
  ColumnPlanner(const Schema& schema, const ColumnRules& rules)
      : m_schema(schema), m_rules(rules), m_isStream(rules.form == EntryForm::stream) {
    for (TableNumber number = 0; number < m_schema.size(); ++number)
      if (const Table table = m_schema.table(number); !table.isRoot())
        m_below[table.parent].push_back(number);
  }

  [[nodiscard]] StreamPlan plan(std::span<const PlannedField> fields);

private:
  /// The rows of a table under planning. `below` has its lists and relations for which no field was
  /// found yet.
  struct Rows {
    const Declaration& declared;
    RowMembers members;
    std::vector<std::uint32_t> below;
  };
  /// A node of the tree of members. `components` is the number of given components around it.
  struct Node {
    std::uint32_t number = MemberTree::root;
    std::uint32_t components = 0;
  };

  // The values under entries
  [[nodiscard]] StreamColumn root(TableNumber number, const ArrowSchema& field);
  [[nodiscard]] StreamColumn collection(TableNumber number, const ArrowSchema& field);
  // Rows, and the tables below them
  [[nodiscard]] StreamColumn rows(TableNumber number, const Declaration& declared,
                                  const ArrowSchema& field, const std::string& where);
  [[nodiscard]] StreamColumn list(TableNumber number, const Declaration& declared,
                                  const ArrowSchema& field, const std::string& where);
  void refuseNulls(StreamColumn& column, const Declaration& declared) const;
  [[nodiscard]] StreamColumn text(TableNumber table, const ArrowSchema& field,
                                  const std::string& where, bool mayLack);
  [[nodiscard]] StreamColumn emptyLists(TableNumber number, const std::string& where) const;
  [[nodiscard]] StreamColumn below(const Rows& rows, std::uint32_t child, Given given,
                                   const std::string& where);
  // Members of rows
  [[nodiscard]] StreamColumn record(Rows& rows, Node node, const ArrowSchema& field,
                                    const std::string& where, std::string path = {});
  void addMissing(StreamColumn& column, const Rows& rows, Node node,
                  const std::vector<std::uint32_t>& given) const;
  [[nodiscard]] StreamColumn member(Rows& rows, Node node, Given given, const std::string& where);
  [[nodiscard]] StreamColumn given(Rows& rows, Node node, const ArrowSchema& field,
                                   const std::string& where);
  [[nodiscard]] StreamColumn array(Rows& rows, Node node, const ArrowSchema& field,
                                   const std::string& where);
  [[nodiscard]] StreamColumn arrayLevel(Rows& rows, Node first, std::uint32_t parts,
                                        std::span<const std::uint32_t> shape,
                                        const ArrowSchema& field, const std::string& where);
  [[nodiscard]] StreamColumn missing(const Rows& rows, Node node, const std::string& where) const;
  [[nodiscard]] StreamColumn defaults(const Rows& rows, Node node, const std::string& where) const;
  [[nodiscard]] std::string unknownDefault(const Rows& rows, Node node) const;
  [[nodiscard]] StreamColumn numbers(StreamColumn column, std::span<const std::uint32_t> shape,
                                     std::string_view unit, const ArrowSchema& field) const;
  [[nodiscard]] bool hasDefault(const Rows& rows, Node node) const;
  // References
  [[nodiscard]] StreamColumn relation(const Rows& rows, TableNumber table, Given given,
                                      const std::string& where);
  [[nodiscard]] StreamColumn reference(StreamRelation& relation, const ArrowSchema* field);
  [[nodiscard]] StreamColumn wholeReference(const ArrowSchema& field, const std::string& where);
  [[nodiscard]] StreamColumn number(TableMember place, Scalar type, const ArrowSchema& field,
                                    const std::string& where) const;
  [[nodiscard]] std::vector<std::uint32_t> targetsOf(const Rows& rows,
                                                     std::string_view relation) const;

  [[nodiscard]] std::vector<std::uint32_t> tablesBelow(TableNumber number) const {
    const auto tables = m_below.find(number);
    return tables == m_below.end() ? std::vector<std::uint32_t>() : tables->second;
  }
  [[nodiscard]] std::string_view tail(TableNumber number) const {
    return tailOf(m_schema, m_schema.table(number));
  }
  [[nodiscard]] std::string refusal(const std::string& where) const {
    return joined("'", where,
                  "' has missing values, which earlier entries do not have: fill them, or write "
                  "all entries at once");
  }
  [[nodiscard]] StreamColumn recordColumn(const std::string& where) const {
    return {.name = where, .nulls = Nulls::refuse, .refusal = refusal(where)};
  }

  const Schema& m_schema;
  const ColumnRules& m_rules;
  bool m_isStream;
  bool m_isObject = false; ///< In a field with a datatype: its nulls are empty optionals.
  std::map<std::uint32_t, std::vector<std::uint32_t>> m_below;
  StreamPlan m_plan;
};

/// Returns the parts of a node.
std::vector<std::uint32_t> partsOf(const MemberTree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> parts;
  if (node != MemberNode::none)
    for (auto part = tree[node].firstPart; part != MemberNode::none; part = tree[part].nextPart)
      parts.push_back(part);
  return parts;
}

// Members of rows

/// Returns the column of a missing member: it gets its defaults.
StreamColumn ColumnPlanner::defaults(const Rows& rows, Node node, const std::string& where) const {
  const RowMember& leaf = rows.members.leaves[rows.members.tree[node.number].leaf];
  return {.kind = ColumnKind::numbers,
          .name = where,
          .table = leaf.place.table,
          .member = leaf.place.member,
          .type = leaf.type,
          .size = leaf.extent,
          .components = node.components,
          .missing = leaf.missing(node.components)};
}

/// Returns the message for a missing member whose default only a C++ compiler understands; "" for
/// other members.
std::string ColumnPlanner::unknownDefault(const Rows& rows, Node node) const {
  const std::string_view path = rows.members.tree[node.number].path;
  const std::string_view member = path.substr(0, path.find('.'));
  const StructDefaults* const defaults = rows.declared.defaults;
  if (!defaults || std::ranges::find(defaults->unknown, member) == defaults->unknown.end())
    return {};
  return joined("the default of '", member, "' of ", rows.declared.type,
                " is for C++ compilers only: give values");
}

StreamColumn ColumnPlanner::missing(const Rows& rows, Node node, const std::string& where) const {
  if (const std::string mistake = unknownDefault(rows, node); !mistake.empty())
    throw Error(ErrorKind::usage, mistake);
  if (rows.members.tree[node.number].kind == MemberKind::value) {
    const RowMember& leaf = rows.members.leaves[rows.members.tree[node.number].leaf];
    return leaf.isList ? emptyLists(leaf.place.table, where) : defaults(rows, node, where);
  }
  StreamColumn column{.name = where, .components = node.components};
  for (const std::uint32_t part : partsOf(rows.members.tree, node.number))
    column.children.push_back(missing(rows, {part, node.components}, where));
  return column;
}

/// Lets the column of a missing member take its numbers from a field.
StreamColumn ColumnPlanner::numbers(StreamColumn column, std::span<const std::uint32_t> shape,
                                    std::string_view unit, const ArrowSchema& field) const {
  if (const auto values = valuesOfRuns(field))
    return runsOf(numbers(std::move(column), shape, unit, *values), field);
  const std::string where = column.name;
  column.nulls = Nulls::refuse;
  column.refusal = refusal(where);
  const ArrowSchema* values = &field;
  const bool isArray = column.size > 1 || !shape.empty();
  if (isArray && (column.size > 1 || isList(field.format)) && !isNull(field.format)) {
    if (!isList(field.format))
      failAt(where, "lists", field);
    for (; isList(values->format); values = &elementOf(*values))
      column.levels.push_back({.format = values->format[1]});
    // Arrays of arrays can come as one flat array.
    const std::vector<std::uint32_t> sizes = column.levels.size() > 1
                                                 ? std::vector(shape.begin(), shape.end())
                                                 : std::vector{column.size};
    if (sizes.size() != column.levels.size())
      failAt(where, "numbers", *values);
    std::string text;
    for (std::size_t level = 0; level < sizes.size(); ++level) {
      column.levels[level].size = sizes[level];
      text.append(level == 0 ? "" : " x ").append(std::to_string(sizes[level]));
    }
    column.shapeMistake = joined("'", where, "' needs ", text, " values each");
    const ArrowSchema* list = &field;
    for (std::size_t level = 0; level < sizes.size(); ++level, list = &elementOf(*list))
      if (const auto size = fixedSizeOf(list->format); size && *size != sizes[level])
        column.lacks = column.shapeMistake;
  }
  if (isNull(formatOf(*values))) { // in lists: all these are empty
    column.isNull = column.levels.empty();
    return column;
  }
  const auto number = streamNumber(formatOf(*values));
  if (!number)
    failAt(where, "numbers", *values);
  if (!number->unit.empty() && !unit.empty() && number->unit != unit)
    fail(ErrorKind::usage, "'", where, "' has the unit ", number->unit, ", but ", unit,
         " in the file");
  column.number = *number;
  takeDictionary(column, *values);
  if (m_isStream && !m_isObject && isFloat(number->type))
    column.nulls = Nulls::nan;
  return column;
}

bool ColumnPlanner::hasDefault(const Rows& rows, Node node) const {
  const MemberNode& member = rows.members.tree[node.number];
  if (member.kind == MemberKind::optional)
    return true;
  if (member.kind == MemberKind::value)
    return rows.members.leaves[member.leaf].hasDefault(node.components);
  return std::ranges::all_of(partsOf(rows.members.tree, node.number), [&](std::uint32_t part) {
    return hasDefault(rows, {part, node.components});
  });
}

StreamColumn ColumnPlanner::member(Rows& rows, Node node, Given inside, const std::string& where) {
  if (const auto values = valuesOfRuns(*inside.field))
    return asField(runsOf(member(rows, node, {&*values, 1}, where), *inside.field), inside.number);
  const MemberTree& tree = rows.members.tree;
  // Members that a file got late have their parts in records, see ArrowField::structure.
  const bool isInParts = isRecord(*inside.field) && !isNullable(*inside.field) &&
                         metadataOf(*inside.field, "structure") == optionalStep;
  const bool isOptional = tree[node.number].kind == MemberKind::optional && !isInParts;
  StreamColumn column =
      given(rows, isOptional ? Node{tree.valueOf(node.number), node.components} : node,
            *inside.field, where);
  column.field = inside.number;
  column.components = node.components;
  const bool mayLack = isOptional || hasDefault(rows, node);
  if (isOptional) {
    const RowMember& presence = rows.members.leaves[tree.presenceOf(node.number)];
    column.presence = presence.place;
    column.missingPresence = presence.missing(node.components);
  }
  const bool isStruct = tree[node.number].kind == MemberKind::record;
  if (!isOptional &&
      (column.nulls == Nulls::nan || ((!mayLack || isStruct) && !rows.declared.isThere())))
    return column;
  std::string refused = unknownDefault(rows, node);
  if (!mayLack && !m_rules.zeroesMissingMembers)
    refused = joined("'", where,
                     "' has missing values, and no default in the model: give values, or make "
                     "missing ones zero with `missing_members=\"default\"`");
  column.nulls = refused.empty() ? Nulls::missing : Nulls::refuse;
  if (!refused.empty())
    column.refusal = std::move(refused);
  return column;
}

StreamColumn ColumnPlanner::given(Rows& rows, Node node, const ArrowSchema& field,
                                  const std::string& where) {
  const MemberNode& member = rows.members.tree[node.number];
  if (member.kind == MemberKind::array)
    return array(rows, node, field, where);
  if (member.kind != MemberKind::value)
    return record(rows, {node.number, node.components + 1}, field, where);
  const RowMember& leaf = rows.members.leaves[member.leaf];
  if (leaf.isList)
    return list(leaf.place.table, {}, field, where);
  return numbers(defaults(rows, node, where),
                 member.shape.empty() ? std::vector<std::uint32_t>()
                                      : shapeOf(member.shape, leaf.extent),
                 leaf.unit, field);
}

/// Returns the column of records that are rows, or lie in rows. Their fields are the parts of the
/// node, and the lists and relations whose names begin with its path. Records that have only lists
/// have a path but no node.
StreamColumn ColumnPlanner::record(Rows& rows, Node node, const ArrowSchema& field,
                                   const std::string& where, std::string path) {
  if (const auto values = valuesOfRuns(field))
    return runsOf(record(rows, node, *values, where, path), field);
  if (node.number != MemberNode::none)
    path = rows.members.tree[node.number].path;
  StreamColumn column = recordColumn(where);
  column.isNull = isNull(field.format);
  if (!column.isNull && !isRecord(field))
    failAt(where, "records", field);
  const auto parts = partsOf(rows.members.tree, node.number);
  std::vector<std::uint32_t> found;
  const auto fields = column.isNull ? std::span<ArrowSchema* const>() : fieldsOf(field);
  for (std::uint32_t i = 0; i < fields.size(); ++i) {
    const ArrowSchema& inside = *fields[i];
    const std::string_view name = nameOf(inside);
    const std::string inner = dotted(path, name);
    const std::string label = dotted(where, name);
    const auto part = std::ranges::find(
        parts, name, [&](std::uint32_t each) { return rows.members.tree[each].name; });
    const auto child =
        std::ranges::find(rows.below, inner, [&](std::uint32_t each) { return tail(each); });
    if (part != parts.end()) {
      if (std::ranges::find(found, *part) != found.end())
        fail(ErrorKind::usage, "two columns are called '", label, "'");
      found.push_back(*part);
      column.children.push_back(member(rows, {*part, node.components}, {&inside, i}, label));
    } else if (child != rows.below.end()) {
      column.children.push_back(below(rows, *child, {&inside, i}, label));
      rows.below.erase(child);
    } else if (std::ranges::any_of(rows.below, [&](std::uint32_t each) {
                 return tail(each).starts_with(inner + '.');
               })) {
      column.children.push_back(asField(record(rows, {MemberNode::none}, inside, label, inner), i));
    } else if (!path.empty() || name != selfName || !isWholeReference(inside)) {
      std::vector<std::string> known;
      for (const std::uint32_t each : parts)
        known.emplace_back(rows.members.tree[each].name);
      for (const std::uint32_t each : path.empty() ? rows.below : std::vector<std::uint32_t>())
        known.emplace_back(tail(each));
      fail(ErrorKind::name, "'", where, "' has no member '", name, "'",
           rows.declared.isThere() ? "" : " in earlier entries", suggestion(name, known));
    }
  }
  addMissing(column, rows, node, found);
  return column;
}

/// Adds the missing parts of a node to a column of records. `given` are the parts that it has.
void ColumnPlanner::addMissing(StreamColumn& column, const Rows& rows, Node node,
                               const std::vector<std::uint32_t>& given) const {
  std::vector<std::string> lacking;
  for (const std::uint32_t part : partsOf(rows.members.tree, node.number)) {
    if (std::ranges::find(given, part) != given.end())
      continue;
    const std::string_view name = rows.members.tree[part].name;
    const Node inside{part, node.components};
    if (!m_rules.zeroesMissingMembers && !hasDefault(rows, inside))
      lacking.push_back(joined("'", name, "'"));
    column.children.push_back(missing(rows, inside, dotted(column.name, name)));
  }
  if (lacking.empty())
    return;
  std::string names;
  for (const std::string& name : lacking)
    names.append(names.empty() ? "" : ", ").append(name);
  const bool isOne = lacking.size() == 1;
  column.lacks =
      rows.declared.isThere()
          ? joined("'", column.name, "' lacks ", names,
                   isOne ? ", which has no default" : ", which have no defaults",
                   " in the model: give values, or make missing ones zero with "
                   "`missing_members=\"default\"`")
          : joined("'", column.name, "' lacks ", names, ", which it has in earlier entries");
}

StreamColumn ColumnPlanner::array(Rows& rows, Node node, const ArrowSchema& field,
                                  const std::string& where) {
  if (const auto values = valuesOfRuns(field))
    return runsOf(array(rows, node, *values, where), field);
  const MemberNode& member = rows.members.tree[node.number];
  const Node first{member.firstPart, node.components};
  // Arrays of arrays can come as one flat array.
  std::vector<std::uint32_t> shape = shapeOf(member.shape, member.parts);
  if (isList(field.format) && !isList(elementOf(field).format))
    shape = {member.parts};
  if (!isRecord(field) || field.n_children != member.parts)
    return arrayLevel(rows, first, member.parts, shape, field, where);
  // Files that do not state structures store the elements as fields of a record.
  StreamColumn column = recordColumn(where);
  std::uint32_t number = 0;
  for (const std::uint32_t part : partsOf(rows.members.tree, node.number)) {
    const ArrowSchema& element = *field.children[number];
    if (nameOf(element) != std::to_string(number))
      failAt(where, "lists", field);
    column.children.push_back(
        asField(record(rows, {part, node.components + 1}, element, where), number++));
  }
  return column;
}

/// Returns the column of an array's elements. The array can be an element of another array.
StreamColumn ColumnPlanner::arrayLevel(Rows& rows, Node first, std::uint32_t parts,
                                       std::span<const std::uint32_t> shape,
                                       const ArrowSchema& field, const std::string& where) {
  StreamColumn column = recordColumn(where);
  column.kind = ColumnKind::elements;
  column.size = shape.front();
  column.isNull = isNull(field.format);
  column.shapeMistake = joined("'", where, "' needs ", std::to_string(parts), " records each");
  if (!column.isNull) {
    if (!isList(field.format))
      failAt(where, "lists", field);
    if (const auto size = fixedSizeOf(field.format); size && *size != column.size)
      column.lacks = column.shapeMistake;
    column.levels.push_back({.format = field.format[1], .size = column.size});
  }
  const std::uint32_t count = column.isNull ? parts : column.size;
  const auto following = [&](std::uint32_t nodes) {
    Node after = first;
    for (; nodes > 0; --nodes)
      after.number = rows.members.tree[after.number].nextPart;
    return after;
  };
  for (std::uint32_t i = 0; i < count; ++i, first = following(parts / count)) {
    StreamColumn& element = column.children.emplace_back();
    if (column.isNull)
      element = missing(rows, first, where);
    else if (shape.size() > 1)
      element = arrayLevel(rows, first, parts / count, shape.subspan(1), elementOf(field), where);
    else if (rows.members.tree[first.number].kind == MemberKind::optional)
      element = member(rows, first, {&elementOf(field)}, where);
    else
      element = record(rows, {first.number, first.components + 1}, elementOf(field), where);
    element.field = 0;
  }
  return column;
}

// Rows, and the tables below them

StreamColumn ColumnPlanner::rows(TableNumber number, const Declaration& declared,
                                 const ArrowSchema& field, const std::string& where) {
  if (const auto values = valuesOfRuns(field))
    return runsOf(rows(number, declared, *values, where), field);
  const Table table = m_schema.table(number);
  const bool isOfLists = table.members.empty() && !declared.datatype; // rows lie in the lists
  Rows rows{declared, membersOf(m_schema, number, isOfLists ? Declaration{} : declared),
            tablesBelow(number)};
  std::erase_if(rows.below, [&](std::uint32_t each) {
    return std::ranges::find(rows.members.tables, each) != rows.members.tables.end();
  });
  if (table.type == VectorMember::string && table.kind != TableKind::value && !rows.below.empty())
    return text(rows.below.front(), field, where, false);
  if (const std::uint32_t bare = rows.members.bare(); bare != MemberNode::none) {
    const MemberKind kind = rows.members.tree[bare].kind;
    if (kind == MemberKind::optional)
      return member(rows, {bare}, {&field, 0}, where);
    if (kind != MemberKind::value || !isRecord(field)) // records can have a field without a name
      return given(rows, {bare}, field, where);
  }
  if (rows.members.leaves.empty() && rows.below.size() == 1 && tail(rows.below.front()).empty())
    return list(rows.below.front(), declared, field, where);
  StreamColumn column = record(rows, {}, field, where);
  for (const std::uint32_t child : rows.below) {
    const std::string label = dotted(where, tail(child));
    column.children.push_back(below(rows, child, {}, label));
    if (!declared.isThere() && column.lacks.empty())
      column.lacks =
          joined("'", where, "' lacks '", tail(child), "', which it has in earlier entries");
  }
  return column;
}

/// Lets a column of lists refuse nulls, unless entries can lack the lists, or a model declares
/// them: objects without these lists have empty ones.
void ColumnPlanner::refuseNulls(StreamColumn& column, const Declaration& declared) const {
  if (column.canBeAbsent || declared.isThere())
    return;
  column.nulls = Nulls::refuse;
  column.refusal = refusal(column.name);
}

StreamColumn ColumnPlanner::list(TableNumber number, const Declaration& declared,
                                 const ArrowSchema& field, const std::string& where) {
  if (const auto values = valuesOfRuns(field))
    return runsOf(list(number, declared, *values, where), field);
  const Table table = m_schema.table(number);
  if (table.type == VectorMember::string && !table.members.empty())
    return text(number, field, where, declared.isThere());
  if (isText(formatOf(field)))
    fail(ErrorKind::type, "'", where, "' needs ", declared.isThere() ? "nested " : "",
         "lists, not strings");
  if (isBytes(formatOf(field)) && table.members.size() == 1 &&
      table.members[0].type == Scalar::UInt8) {
    StreamColumn bytes{.kind = ColumnKind::text, .name = where, .table = number};
    bytes.canBeAbsent = table.canBeAbsent();
    takeTexts(bytes, field);
    refuseNulls(bytes, declared);
    return bytes;
  }
  StreamColumn column = listColumn(where, number, field);
  column.canBeAbsent = table.canBeAbsent();
  refuseNulls(column, declared);
  column.children.push_back(column.isNull
                                ? StreamColumn{.name = where}
                                : asField(rows(number, declared, elementOf(field), where), 0));
  return column;
}

StreamColumn ColumnPlanner::text(TableNumber table, const ArrowSchema& field,
                                 const std::string& where, bool mayLack) {
  if (const auto values = valuesOfRuns(field))
    return runsOf(text(table, *values, where, mayLack), field);
  StreamColumn column{.kind = ColumnKind::text, .name = where, .table = table};
  if (!mayLack) {
    column.nulls = Nulls::refuse;
    column.refusal = refusal(where);
  }
  if (!mayBeText(field))
    fail(ErrorKind::type, "'", where, "' needs strings, not ", typeText(field));
  takeTexts(column, field);
  return column;
}

/// Returns the column of lists or strings without a field, which are empty.
StreamColumn ColumnPlanner::emptyLists(TableNumber number, const std::string& where) const {
  const Table table = m_schema.table(number);
  const bool isText = table.type == VectorMember::string && !table.members.empty();
  StreamColumn column{
      .kind = isText ? ColumnKind::text : ColumnKind::list, .name = where, .table = number};
  if (!isText)
    column.children.push_back({.name = where});
  return column;
}

/// Returns the column of a list or relation in rows. Its field may be missing.
StreamColumn ColumnPlanner::below(const Rows& rows, std::uint32_t child, Given inside,
                                  const std::string& where) {
  const Table table = m_schema.table(child);
  if (table.kind != TableKind::vectorMember)
    return relation(rows, child, inside, where);
  if (!inside.field)
    return emptyLists(child, where);
  Declaration declared;
  if (const Datatype* const type = rows.declared.datatype)
    if (const auto vector = std::ranges::find(type->vectors, tail(child), &VectorMember::name);
        vector != type->vectors.end())
      declared = m_rules.types->declarationOf(*type, *vector);
  return asField(list(child, declared, *inside.field, where), inside.number);
}

// References

/// Returns the collections that a relation can lead to.
std::vector<std::uint32_t> ColumnPlanner::targetsOf(const Rows& rows,
                                                    std::string_view relation) const {
  const Datatype* const type = rows.declared.datatype;
  const auto known = type ? std::ranges::find(type->relations, relation, &Relation::name)
                          : std::span<const Relation>().begin();
  std::vector<std::uint32_t> targets;
  for (TableNumber number = 0; number < m_schema.size(); ++number)
    if (const Table table = m_schema.table(number);
        table.kind == TableKind::collection && (!type || leadsTo(*known, table.type)))
      targets.push_back(number);
  return targets;
}

StreamColumn ColumnPlanner::relation(const Rows& rows, TableNumber number, Given inside,
                                     const std::string& where) {
  const Table table = m_schema.table(number);
  StreamRelation references{.table = number,
                            .name = where,
                            .type = std::string(table.type),
                            .targets = targetsOf(rows, tail(number))};
  StreamColumn column;
  if (table.kind == TableKind::oneRelation) {
    column = reference(references, inside.field);
  } else {
    column = inside.field ? listColumn(where, number, *inside.field)
                          : StreamColumn{.kind = ColumnKind::list, .name = where, .table = number};
    const bool isGiven = inside.field && !column.isNull;
    column.children.push_back(
        asField(reference(references, isGiven ? &elementOf(*inside.field) : nullptr),
                isGiven ? 0 : std::uint32_t{Table::none}));
  }
  m_plan.relations.push_back(std::move(references));
  return asField(std::move(column), inside.number);
}

/// Returns the column of a number in references. Missing numbers have all bits set: -1 for indices.
StreamColumn ColumnPlanner::number(TableMember place, Scalar type, const ArrowSchema& field,
                                   const std::string& where) const {
  StreamColumn column{.kind = ColumnKind::numbers,
                      .name = where,
                      .table = place.table,
                      .member = place.member,
                      .type = type,
                      .size = 1,
                      .missing = std::vector(sizeOf(type), std::byte{0xff})};
  return numbers(std::move(column), {}, {}, field);
}

/// Returns the column of one reference per row. `field` is null if the references are missing.
StreamColumn ColumnPlanner::reference(StreamRelation& relation, const ArrowSchema* field) {
  const std::string& where = relation.name;
  const auto index = [&](const ArrowSchema& numbers) {
    StreamColumn column =
        number({relation.table, detail::relationIndex}, Scalar::Int32, numbers, where);
    column.nulls = Nulls::missing;
    return column;
  };
  if (!field || !isRecord(*field)) {
    constexpr ArrowSchema none{.format = "n"};
    relation.form = StreamRelation::Form::indices;
    return index(field ? *field : none);
  }
  if (isWholeReference(*field)) {
    relation.form = StreamRelation::Form::whole;
    relation.read = m_schema.size() + m_plan.reads;
    return wholeReference(*field, where);
  }
  relation.form = StreamRelation::Form::named;
  const Given place = findField(*field, "index");
  const Given name = findField(*field, "collection");
  if (field->n_children != 2 || !place.field || !name.field) {
    std::string names;
    for (const ArrowSchema* const each : fieldsOf(*field))
      names.append(names.empty() ? "" : ", ").append(nameOf(*each));
    fail(ErrorKind::usage, "'", where,
         "' needs indices, records of index and collection, or references as they were read, "
         "not records of ",
         names);
  }
  StreamColumn column{.name = where};
  column.children.push_back(asField(index(*place.field), place.number));
  column.children.push_back(asField(
      names({relation.table, detail::relationCollection}, *name.field, where), name.number));
  return column;
}

StreamColumn ColumnPlanner::wholeReference(const ArrowSchema& field, const std::string& where) {
  const std::uint32_t read = m_schema.size() + m_plan.reads++;
  StreamColumn column{.name = where};
  constexpr std::pair<std::string_view, ReadMember> members[] = {
      {"entry", readEntry}, {"index", readIndex}, {"file", readFile}};
  for (const auto& [name, member] : members) {
    const Given inside = findField(field, name);
    column.children.push_back(
        asField(number({read, member}, readTypes[member], *inside.field, where), inside.number));
  }
  const Given collection = findField(field, "collection");
  column.children.push_back(
      asField(names({read, readCollection}, *collection.field, where), collection.number));
  return column;
}

// The values under entries

StreamColumn ColumnPlanner::collection(TableNumber number, const ArrowSchema& field) {
  if (const auto values = valuesOfRuns(field))
    return runsOf(collection(number, *values), field);
  const Table table = m_schema.table(number);
  const std::string where(table.name);
  const Declaration declared =
      m_rules.types ? m_rules.types->declarationOf(m_rules.types->get(table.type, where))
                    : Declaration{};
  m_isObject = !metadataOf(field, "datatype").empty();
  StreamColumn column = list(number, declared, field, where);
  if (const auto self = m_rules.types ? ownReferences(field) : std::nullopt) {
    m_plan.objects.push_back({number, m_schema.size() + m_plan.reads});
    column.children.front().children.push_back(
        asField(wholeReference(*elementOf(field).children[*self], where), *self));
  }
  return column;
}

StreamColumn ColumnPlanner::root(TableNumber number, const ArrowSchema& field) {
  const Table table = m_schema.table(number);
  const std::string where(nameOf(field));
  m_isObject = false;
  if (table.kind == TableKind::collection)
    return collection(number, field);
  if (const auto values = valuesOfRuns(field))
    return runsOf(root(number, *values), field);
  const bool isBare = table.members.size() == 1 && table.members[0].name.empty();
  if (const std::string_view unit = metadataOf(field, "unit");
      isBare && !unit.empty() && !table.members[0].unit.empty() && unit != table.members[0].unit)
    fail(ErrorKind::usage, "'", where, "' has the unit ", unit, ", but ", table.members[0].unit,
         " in the file");
  const bool isMany = isList(field.format) || isBytes(formatOf(field)) || isNull(field.format);
  if (table.kind == TableKind::value)
    return rows(number, {}, field, where);
  if (isMany)
    return list(number, {}, field, where);
  // A single value is a list of one.
  StreamColumn column{
      .kind = ColumnKind::single, .name = where, .table = number, .canBeAbsent = true};
  column.children.push_back(rows(number, {}, field, where));
  return column;
}

StreamPlan ColumnPlanner::plan(std::span<const PlannedField> fields) {
  std::set<std::uint32_t> given;
  for (std::uint32_t i = 0; i < fields.size(); ++i) {
    given.insert(fields[i].table);
    m_plan.columns.push_back(asField(root(fields[i].table, *fields[i].type), i));
  }
  for (TableNumber number = 0; number < m_schema.size(); ++number) {
    const Table table = m_schema.table(number);
    if (!table.isRoot() || given.contains(number))
      continue;
    if (!table.canBeAbsent())
      fail(ErrorKind::usage, "the value '", table.name, "' of earlier entries is missing");
    m_plan.absent.push_back(number);
  }
  m_plan.schema = m_schema;
  m_plan.emptiesLostReferences = m_rules.emptiesLostReferences;
  m_plan.refusesEmptyTargets = m_rules.types != nullptr;
  return std::move(m_plan);
}

} // namespace

StreamPlan columnsOf(const Schema& tables, const ColumnRules& rules,
                     std::span<const PlannedField> fields) {
  return ColumnPlanner(tables, rules).plan(fields);
}

} // namespace kaon::arrow
