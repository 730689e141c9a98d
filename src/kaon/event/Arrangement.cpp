#include <kaon/event/Arrangement.h>

#include <kaon/event/Writer.h>

namespace kaon {

void Arrangement::arrange(std::vector<TableDefinition>& tables) const {
  TableDefinition& root = tables.front();
  if (root.kind == TableKind::value) {
    root.use = root.use | useOf(root.name);
    if (has(root.use, TableUse::tag))
      root.layout = Layout::member; // the tags of an event are read together
    return;
  }
  if (root.kind != TableKind::collection)
    return;
  kaon::arrange(all, tables);
  if (const auto own = storage.find(root.name); own != storage.end())
    kaon::arrange(own->second, tables);
}

TableUse Arrangement::useOf(std::string_view parameter) const {
  const auto found = uses.find(parameter);
  return found == uses.end() ? TableUse::none : found->second;
}

Arrangement arrangementOf(const WriterOptions& options) {
  Arrangement made{.all = {.layout = options.layout},
                   .storage = options.storage,
                   .keepsOrigin = options.provenance};
  for (const std::string& tag : options.tags)
    made.uses[tag] = made.uses[tag] | TableUse::tag;
  for (const std::string& key : options.keys)
    made.uses[key] = made.uses[key] | TableUse::key;
  return made;
}

} // namespace kaon
