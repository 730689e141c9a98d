#include <kaon/formats/root/tree/MissingRows.h>

#include <cstring>

namespace kaon::root {

MissingRows::MissingRows(const Schema& schema, TableNumber table, std::size_t entries, bool isThere)
    : m_batch(schema, 0, entries), m_offsets(entries + 1), m_present(entries, std::byte{isThere}) {
  const TableNumber root = schema.rootOf(table);
  if (schema.table(root).canBeAbsent())
    m_batch.table(root).present = m_present;
  for (const TableNumber number : schema.tablesUnder(root)) {
    const Table info = schema.table(number);
    TableView& view = m_batch.table(number);
    view.rows = info.isCounted() ? 0 : entries;
    if (info.isCounted())
      view.offsets = m_offsets;
    for (const Member& member : info.members) {
      const auto row = m_rows.emplace_back().assign(member.size());
      for (std::uint32_t i = 0; i < member.extent; ++i)
        std::memcpy(row.data() + i * sizeOf(member.type), &member.missing, sizeOf(member.type));
      view.members.push_back({row.data(), 0}); // stride 0: each row has the same value
    }
  }
}

} // namespace kaon::root
