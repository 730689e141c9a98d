#include <kaon/event/ParameterRows.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>

#include <atomic>
#include <cstring>

namespace kaon {
namespace {

TableDefinition scalarTable(std::string name, TableKind kind, Scalar type) {
  return {.name = std::move(name),
          .kind = kind,
          .type = std::string(nameOf(type)),
          .rowSize = sizeOf(type),
          .members = {{.name = "", .type = type}}};
}

/// Returns the tables of a parameter, or of lists in one: strings and lists have a table for their
/// contents.
template <class T>
std::vector<TableDefinition> tablesOfValues(const std::string& name, TableKind kind) {
  if constexpr (std::is_arithmetic_v<T>) {
    return {scalarTable(name, kind, scalarOf<T>())};
  } else {
    std::vector<TableDefinition> tables{{.name = name, .kind = kind}};
    if constexpr (std::is_same_v<T, std::string>) {
      tables[0].type = detail::parameterType<T>();
      tables.push_back(scalarTable(name + ".text", TableKind::text, Scalar::UInt8));
    } else {
      for (TableDefinition& inner :
           tablesOfValues<typename T::value_type>(name + ".", TableKind::vectorMember))
        tables.push_back(std::move(inner));
    }
    for (std::uint32_t i = 1; i < tables.size(); ++i)
      tables[i].parent = i - 1; // the table before
    return tables;
  }
}

/// Appends values to a table, and their contents to the tables that follow it.
template <class T>
void appendValues(detail::BatchBuilder& builder, TableNumber table, const std::vector<T>& all) {
  std::byte* row = builder.append(table, all.size());
  if constexpr (std::is_arithmetic_v<T>) {
    for (const T value : all) { // not a reference: std::vector<bool> has no elements
      std::memcpy(row, &value, sizeof value);
      row += sizeof value;
    }
  } else {
    for (const T& value : all) {
      if constexpr (std::is_same_v<T, std::string>)
        std::ranges::copy(std::as_bytes(std::span(value)), builder.append(table + 1, value.size()));
      else
        appendValues(builder, table + 1, value);
      builder.endRow(table + 1);
    }
  }
}

[[noreturn]] void failNoUse(const std::string& name, const detail::ParameterValues& values) {
  fail(ErrorKind::usage, "'", name,
       "' is to be a tag or key, which is one number an event, but has ",
       std::visit([](const auto& all) { return counted(all.size(), "value"); }, values),
       " of type ", typeOf(values));
}

std::uint32_t nextNumber() noexcept {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

} // namespace

ParameterRows::ParameterRows(detail::BatchBuilder& builder, CategoryTables& tables)
    : m_builder(builder), m_categoryTables(tables), m_number(nextNumber()) {}

void ParameterRows::append(const std::string& name, const detail::ParameterValues& values) {
  append(name, values, define(name, values));
}

void ParameterRows::append(const detail::FrameContents& frame) {
  for (const PutParameters::Parameter& parameter : frame.putParameters()) {
    if (!parameter.isThere)
      continue;
    std::uint64_t noted = parameter.note.get(); // the number of this object and that of the table
    if (noted >> 32 != m_number) {
      noted = std::uint64_t{m_number} << 32 | tableOf(parameter.name, parameter.values);
      parameter.note.set(noted);
    }
    append(parameter.name, parameter.values, static_cast<std::uint32_t>(noted));
  }
}

TableNumber ParameterRows::tableOf(const std::string& name, const detail::ParameterValues& values) {
  std::pair key(name, values.index());
  const auto known = m_tables.lower_bound(key);
  if (known != m_tables.end() && known->first == key)
    return known->second;
  return m_tables.emplace_hint(known, std::move(key), define(name, values))->second;
}

std::uint32_t ParameterRows::define(const std::string& name,
                                    const detail::ParameterValues& values) {
  const TableUse use = m_categoryTables.rules().useOf(name);
  const bool isNew = m_builder.schema().find(name) == Table::none;
  auto tables = std::visit(
      [&]<class T>(const std::vector<T>&) { return tablesOfValues<T>(name, TableKind::parameter); },
      values);
  if (use != TableUse::none) {
    if (tables.size() > 1)
      failNoUse(name, values);
    tables.front().kind = TableKind::value;
  }
  if (use != TableUse::none && isNew && m_categoryTables.hasFrames())
    fail(ErrorKind::usage, "'", name, "' is to be a tag or key, but earlier frames lack it");
  m_categoryTables.rules().apply(tables);
  return m_categoryTables.define(tables);
}

void ParameterRows::append(const std::string& name, const detail::ParameterValues& values,
                           TableNumber table) {
  std::visit(
      [&](const auto& all) {
        if (m_builder.kind(table) == TableKind::parameter)
          m_builder.setPresent(table);
        else
          checkUse(name, values, all.size(), table);
        appendValues(m_builder, table, all);
      },
      values);
}

/// Checks a tag or key: it is one number, and the frame's first parameter of this name.
void ParameterRows::checkUse(const std::string& name, const detail::ParameterValues& values,
                             std::size_t count, TableNumber table) const {
  if (count != 1)
    failNoUse(name, values);
  if (m_builder.rows(table) != m_builder.entries())
    fail(ErrorKind::usage, "'", name,
         "' is to be a tag or key, but the frame has two of that name");
}

} // namespace kaon
