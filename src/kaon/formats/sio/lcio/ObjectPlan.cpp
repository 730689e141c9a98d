#include <kaon/formats/sio/lcio/ObjectPlan.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <string_view>

namespace kaon::sio::lcio {
namespace {

const LcioField* innerObjects(const LcioLayout& layout) {
  const auto field = std::ranges::find(layout.fields, LcioFieldKind::objects, &LcioField::kind);
  return field == layout.fields.end() ? nullptr : &*field;
}

class ObjectPlanner {
public:
  ObjectPlanner(const Schema& schema, std::uint32_t objects)
      : m_schema(schema), m_objects(objects) {}

  /// Returns the steps for the fields of a table's rows.
  std::vector<Step> steps(std::span<const LcioField> fields, TableNumber table) const {
    std::vector<Step> steps;
    for (const LcioField& field : fields)
      steps.push_back(step(field, table));
    return steps;
  }

private:
  Step step(const LcioField& field, TableNumber table) const {
    Step step{.field = &field, .table = table};
    switch (field.kind) {
    case LcioFieldKind::tag:
    case LcioFieldKind::counts:
      break;
    case LcioFieldKind::values:
      step.isStatus = field.name == "simulatorStatus";
      setMembers(step);
      break;
    case LcioFieldKind::list:
    case LcioFieldKind::algorithm:
      step.table = under(table, field.name);
      setColumns(step, 0, 1);
      break;
    case LcioFieldKind::texts:
      step.table = under(table, field.name);
      step.column = m_schema.columnsOf(step.table + 1).last - 1; // of the characters
      break;
    case LcioFieldKind::pointer:
    case LcioFieldKind::pointers:
      step.table = under(table, field.name);
      step.column = m_schema.place(step.table, detail::relationIndex).column;
      break;
    case LcioFieldKind::rows:
      addRows(step);
      break;
    case LcioFieldKind::objects:
      step.table = under(table, field.name);
      step.column = m_schema.place(step.table, detail::relationIndex).column;
      step.objects = m_objects;
      step.counted = {step.table};
      if (m_objects != Table::none)
        step.inner = steps(field.fields, m_objects);
      break;
    }
    return step;
  }

  /// The fields are either the members of one table, or separate lists.
  void addRows(Step& step) const {
    const std::uint32_t rows = under(step.table, step.field->name);
    if (m_schema.table(rows).kind == TableKind::vectorMember) {
      step.inner = steps(step.field->fields, rows);
      step.counted = {rows};
      return;
    }
    for (const LcioField& field : step.field->fields) {
      Step inner{.field = &field, .table = under(step.table, field.name)};
      setColumns(inner, 0, 1);
      inner.countsRows = false;
      step.counted.push_back(inner.table);
      step.inner.push_back(std::move(inner));
    }
  }

  /// Sets the columns of the member of this name, or of all members of a component.
  void setMembers(Step& step) const {
    const Members members = m_schema.table(step.table).members;
    const std::string below = std::string(step.field->name) + ".";
    std::uint32_t first = members.size(), count = 0;
    for (MemberNumber number = 0; number < members.size(); ++number)
      if (members[number].name == step.field->name || members[number].name.starts_with(below)) {
        first = std::min<std::uint32_t>(first, number);
        ++count;
      }
    setColumns(step, first, count);
    if (step.columns * step.extent != step.field->count)
      failPlan(step.field->name);
  }

  void setColumns(Step& step, std::uint32_t firstMember, std::uint32_t members) const {
    const Table table = m_schema.table(step.table);
    if (firstMember + members > table.members.size() || members == 0)
      failPlan(step.field->name);
    step.column = m_schema.place(step.table, firstMember).column;
    step.member = firstMember;
    step.columns = members;
    step.extent = table.members[firstMember].extent;
    step.type = table.members[firstMember].type;
    for (MemberNumber member = firstMember; member < firstMember + members; ++member)
      checkType(table.members[member], step);
  }

  /// Files of other programs may have the datatypes of LCIO with other members.
  static void checkType(const Member& member, const Step& step) {
    const Scalar stored = step.field->type;
    const bool isWidened = stored == Scalar::Float32 && step.type == Scalar::Float64;
    if (member.type != step.type || member.extent != step.extent ||
        (step.type != stored && !isWidened && step.field->kind != LcioFieldKind::algorithm))
      fail(ErrorKind::usage, "'", step.field->name, "' is ", nameOf(member.type), ", but ",
           nameOf(stored), " in LCIO");
  }

  [[nodiscard]] std::uint32_t under(TableNumber table, std::string_view name) const {
    const TableNumber number =
        m_schema.find(std::string(m_schema.table(table).name).append(".").append(name));
    if (number == Table::none || m_schema.table(number).parent != table)
      failPlan(name);
    return number;
  }

  [[noreturn]] static void failPlan(std::string_view name) {
    fail(ErrorKind::usage, "the model of LCIO has no '", name, "' of the type that its files have");
  }

  const Schema& m_schema;
  std::uint32_t m_objects;
};

} // namespace

ObjectPlan planObjects(const Schema& schema, const LcioLayout& layout, TableNumber table,
                       std::uint32_t objects) {
  return {&layout, table, ObjectPlanner(schema, objects).steps(layout.fields, table)};
}

std::vector<Step> planInner(const Schema& schema, const LcioLayout& layout, TableNumber table) {
  return ObjectPlanner(schema, Table::none).steps(innerObjects(layout)->fields, table);
}

std::string_view innerType(const LcioLayout& layout) {
  const LcioField* const objects = innerObjects(layout);
  return !objects                           ? std::string_view{}
         : objects->name == "contributions" ? "CaloHitContribution"
                                            : "ParticleID";
}

std::string innerName(const LcioLayout& layout, std::string_view collection) {
  const LcioField* const objects = innerObjects(layout);
  return objects ? std::string(collection).append("_").append(objects->name) : "";
}

} // namespace kaon::sio::lcio
