#include <kaon/batch/Batch.h>

namespace kaon {

std::span<const std::uint32_t> Batch::offsets(std::string_view table) const {
  const std::uint32_t number = m_schema->tableNamed(table);
  if (!m_schema->table(number).isCounted())
    fail(ErrorKind::usage, "'", table, "' has exactly one row for each, and so no offsets");
  if (m_tables[number].offsets.empty())
    fail(ErrorKind::usage, "nothing of '", table, "' was asked for in this batch");
  return m_tables[number].offsets;
}

std::pair<std::uint32_t, std::uint32_t> Batch::find(std::string_view name, Scalar type) const {
  const auto [table, member] = m_schema->memberNamed(name);
  const Scalar actual = m_schema->table(table).members[member].type;
  if (actual != type)
    fail(ErrorKind::type, "'", name, "' holds ", nameOf(actual), " values, not ", nameOf(type));
  const auto& members = m_tables[table].members;
  if (member >= members.size() || !members[member].base)
    fail(ErrorKind::usage, "'", name, "' was not asked for in this batch");
  return {table, member};
}

} // namespace kaon
