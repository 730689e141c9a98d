#include <kaon/formats/root/ntuple/StoredMapping.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/ntuple/Elements.h>
#include <kaon/formats/root/ntuple/FieldColumns.h>
#include <kaon/formats/root/ntuple/FieldPlan.h>

#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kaon::root {
namespace {

[[noreturn]] void failOther(const NTupleField& planned) {
  fail(ErrorKind::type, "the field '", planned.name, "' that kaon wrote is missing or changed");
}

/// Finds the planned fields and their columns in a file, by their names.
class FieldMatcher {
public:
  FieldMatcher(const FieldPlan& plan, const NTupleDescriptor& descriptor)
      : m_plan(plan), m_descriptor(descriptor), m_columns(plan.columns.size()) {}

  /// Returns the file's columns for each column of the plan.
  std::vector<std::vector<std::uint32_t>> match() {
    matchAll(m_plan.topFields, m_descriptor.topFields);
    return std::move(m_columns);
  }

private:
  void matchAll(std::span<const std::uint32_t> planned, std::span<const std::uint32_t> present) {
    if (planned.size() != present.size())
      fail(ErrorKind::type, "there are fields that kaon did not write");
    std::unordered_map<std::string_view, std::uint32_t> byName;
    for (const std::uint32_t field : present)
      byName.emplace(m_descriptor.fields[field].name, field);
    for (const std::uint32_t field : planned) {
      const NTupleField& wanted = m_plan.fields[field];
      const auto match = byName.find(wanted.name);
      if (match == byName.end())
        failOther(wanted);
      matchOne(wanted, m_descriptor.fields[match->second]);
    }
  }

  void matchOne(const NTupleField& wanted, const NTupleField& present) {
    if (wanted.role != present.role || wanted.arraySize != present.arraySize || present.isSoa)
      failOther(wanted);
    for (std::size_t place = 0; place < wanted.columns.size(); ++place)
      m_columns[wanted.columns[place]] =
          columnsAt(m_descriptor, present, place, wanted.columns.size());
    matchAll(wanted.children, present.children);
  }

  const FieldPlan& m_plan;
  const NTupleDescriptor& m_descriptor;
  std::vector<std::vector<std::uint32_t>> m_columns;
};

/// Whether a stored column can be read as a column of the schema.
bool isReadable(const Schema& schema, const Column& column, const StoredColumn& stored) {
  if (column.role == ColumnRole::counts)
    return isIndex(stored.type);
  const Scalar wanted = column.role == ColumnRole::presence
                            ? Scalar::Bool
                            : schema.table(column.table).members[column.member].type;
  const auto own = scalarOf(stored);
  return own && canConvert(*own, wanted);
}

RowRule rowRuleOf(const Table& table) {
  return {table.isCounted() ? RowRule::Kind::ends : RowRule::Kind::one, {}, 0};
}

std::vector<TableRules> rulesFor(const Schema& schema) {
  std::vector<TableRules> rules;
  for (const Table& table : schema.tables()) {
    TableRules& each = rules.emplace_back();
    each.rows = rowRuleOf(table);
    if (!table.isCounted())
      each.rowsPerEntry = table.isRoot() ? 1 : rules[table.parent].rowsPerEntry;
    each.members.resize(table.members.size());
  }
  return rules;
}

} // namespace

Mapping mapAsStored(const SchemaDocument& document, const NTupleDescriptor& descriptor) {
  Mapping mapping{document.schema, rulesFor(document.schema), {}};
  const FieldPlan plan = planFields(mapping.schema, document.absent, true);
  const auto columns = FieldMatcher(plan, descriptor).match();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& source = mapping.schema.columns()[plan.sources[i]];
    for (const std::uint32_t column : columns[i])
      if (!isReadable(mapping.schema, source, descriptor.columns[column]))
        failOther(plan.fields[plan.columns[i].field]);
    TableRules& rules = mapping.rules[source.table];
    if (source.role == ColumnRole::presence)
      rules.presence = columns[i];
    else if (source.role == ColumnRole::counts)
      rules.rows.columns = columns[i];
    else
      rules.members[source.member].columns = columns[i];
  }
  return mapping;
}

} // namespace kaon::root
