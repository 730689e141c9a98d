#include <kaon/selecting/MissingDecorations.h>

#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/Provenance.h>
#include <kaon/model/Schema.h>

#include <utility>

namespace kaon::detail {

void MissingDecorations::add(const Source& source) {
  if (source.entries() == 0)
    return;
  const Schema& schema = source.schema();
  for (const Table& table : schema.tables()) {
    if (table.kind != TableKind::decoration || isOfPlaces(table)) // without these, places are known
      continue;
    std::string collection(schema.table(schema.rootOf(table.parent)).name);
    const std::string& firstWithout = m_filesWith[collection].first; // all earlier files lack it
    const Decoration ofFirst{std::move(collection), 0, firstWithout};
    ++m_decorations.try_emplace(std::string(table.name), ofFirst).first->second.files;
  }
  for (const Table& table : schema.tables())
    if (table.kind == TableKind::collection)
      if (Files& files = m_filesWith[std::string(table.name)]; files.count++ == 0)
        files.first = source.name();
  for (auto& [name, decoration] : m_decorations)
    if (decoration.firstWithout.empty() &&
        decoration.files < m_filesWith[decoration.collection].count)
      decoration.firstWithout = source.name();
}

void MissingDecorations::warnOf(std::string_view name) const {
  const auto place = m_decorations.find(name);
  if (place == m_decorations.end())
    return;
  const Decoration& decoration = place->second;
  const std::size_t count =
      m_filesWith.find(decoration.collection)->second.count - decoration.files;
  if (count == 0)
    return;
  warn(WarningKind::unreadMember,
       decoration.firstWithout + ": has no '" + std::string(name) +
           "', so its objects are like objects without a value" +
           (count == 1
                ? ""
                : "; " + counted(count - 1, "more file lacks", "more files lack") + " it, too"));
}

} // namespace kaon::detail
