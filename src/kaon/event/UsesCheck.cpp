#include <kaon/event/UsesCheck.h>

#include <kaon/base/Error.h>
#include <kaon/batch/Keys.h>

#include <algorithm>

namespace kaon {

void UsesCheck::check(const detail::BatchBuilder& builder) {
  if (m_rules.uses.empty())
    return;
  for (TableNumber number = 0; number < builder.schema().size(); ++number) {
    const Table info = builder.schema().table(number);
    if (info.use != TableUse::none && builder.newRows(number) == 0)
      fail(ErrorKind::usage, "the frame lacks '", info.name,
           "', a tag or key, which earlier frames have");
  }
  findKeyCollections(builder.schema());
  for (const KeyCollection& each : m_keyCollections) {
    const std::size_t objects = builder.newRows(each.table);
    if (objects != 1)
      fail(ErrorKind::usage, "'", each.key,
           "' is a key, so each frame must have one, but the frame has ",
           objects == 0 ? "none" : std::to_string(objects));
  }
}

void UsesCheck::findKeyCollections(const Schema& schema) {
  if (m_searchedTables == schema.size())
    return;
  m_searchedTables = schema.size();
  for (const auto& [name, use] : m_rules.uses) {
    const auto key = has(use, TableUse::key) ? findKey(schema, name) : std::nullopt;
    if (key && schema.table(key->table).isCounted() &&
        std::ranges::find(m_keyCollections, name, &KeyCollection::key) == m_keyCollections.end())
      m_keyCollections.push_back({name, key->table});
  }
}

} // namespace kaon
