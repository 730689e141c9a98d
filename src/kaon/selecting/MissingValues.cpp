#include <kaon/selecting/MissingValues.h>

#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/Provenance.h>
#include <kaon/model/Schema.h>

namespace kaon::detail {

void MissingValues::add(const Source& source) {
  if (source.entries() == 0)
    return;
  const Schema& schema = source.schema();
  for (const Table& table : schema.tables()) {
    const bool isDecoration = table.kind == TableKind::decoration;
    if (isOfPlaces(table))
      continue; // without it, the places are known
    if (!isDecoration && (table.kind != TableKind::value || !table.isRoot()))
      continue;
    std::string above(isDecoration ? schema.table(schema.rootOf(table.parent)).name : "");
    const std::string& firstWithout = m_filesWith[above].first; // all earlier files lack the value
    ++m_values.try_emplace(std::string(table.name), Value{std::move(above), 0, firstWithout})
          .first->second.files;
  }
  const auto count = [&](Files& files) {
    if (files.count++ == 0)
      files.first = source.name();
  };
  count(m_filesWith[""]);
  for (const Table& table : schema.tables())
    if (table.kind == TableKind::collection)
      count(m_filesWith[std::string(table.name)]);
  for (auto& [name, value] : m_values)
    if (value.firstWithout.empty() && value.files < m_filesWith[value.above].count)
      value.firstWithout = source.name();
}

void MissingValues::warnOf(std::string_view name) const {
  const auto place = m_values.find(name);
  if (place == m_values.end())
    return;
  const Value& value = place->second;
  const std::size_t count = m_filesWith.find(value.above)->second.count - value.files;
  if (count == 0)
    return;
  const char* const consequence = value.above.empty()
                                      ? "which is 0 or empty in its entries"
                                      : "so its objects are like objects without a value";
  warn(WarningKind::unreadMember,
       value.firstWithout + ": has no '" + std::string(name) + "', " + consequence +
           (count == 1
                ? ""
                : "; " + counted(count - 1, "more file lacks", "more files lack") + " it, too"));
}

} // namespace kaon::detail
