#include <kaon/detail/object/StoredTable.h>

namespace kaon::detail {

CollectionData* StoredTable::load(std::uint32_t relation, TableNumber table) const {
  CollectionData* const data = m_loader->collection(table, m_type->relations[relation]);
  if (data)
    at(relation, table).store(data, std::memory_order_release);
  return data;
}

} // namespace kaon::detail
