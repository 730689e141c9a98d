#pragma once

#include <kaon/detail/object/ColumnLoader.h>
#include <kaon/detail/object/ObjectLocator.h>
#include <kaon/model/Datatype.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace kaon::detail {

/// The table in a file that a collection is read from, and the collections of the same entry that
/// its relations have led to so far. Any thread may use it.
class StoredTable {
public:
  /// For a built collection: has no table.
  StoredTable() = default;
  /// `loader` reads a file with `tables` tables.
  StoredTable(const Datatype& type, ColumnLoader& loader, std::uint32_t number,
              std::uint32_t tables)
      : m_type(&type), m_loader(&loader), m_number(number), m_tables(tables),
        m_neighbours(new std::atomic<CollectionData*>[type.relations.size() * tables]()) {}

  /// Returns null if there is no table.
  [[nodiscard]] ColumnLoader* loader() const noexcept { return m_loader; }
  [[nodiscard]] std::uint32_t number() const noexcept { return m_number; }

  /// Returns the collection in another table that a relation of the datatype leads to; null if the
  /// entry lacks it. Throws the errors of ColumnLoader::collection().
  [[nodiscard]] CollectionData* neighbour(std::uint32_t relation, TableNumber table) const {
    CollectionData* known = nullptr;
    if (table < m_tables)
      known = at(relation, table).load(std::memory_order_acquire);
    if (!known) [[unlikely]]
      known = load(relation, table);
    return known;
  }

private:
  [[nodiscard]] CollectionData* load(std::uint32_t relation, TableNumber table) const;
  /// By relation, because each relation accepts its own datatypes.
  [[nodiscard]] std::atomic<CollectionData*>& at(std::uint32_t relation,
                                                 TableNumber table) const noexcept {
    return m_neighbours[std::size_t{relation} * m_tables + table];
  }

  const Datatype* m_type = nullptr;
  ColumnLoader* m_loader = nullptr;
  std::uint32_t m_number = 0;
  std::uint32_t m_tables = 0;
  std::unique_ptr<std::atomic<CollectionData*>[]> m_neighbours;
};

} // namespace kaon::detail
