#pragma once

#include <kaon/batch/Source.h>
#include <kaon/binding/Binding.h>
#include <kaon/model/ModelDatatypes.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

/// A source whose collections have the tables of other versions of their datatypes. Columns have
/// their new names and types, and defaults if the file lacks them. Tables have another order, and
/// references lead to them.
/// Collections without a datatype, or with equal tables, stay as in the file and are read as
/// quickly. A collection in rows gets columns if its tables differ. A collection that cannot be
/// read as its datatype has the datatype's tables. Reading one of their columns throws the
/// Error(type) with the reason.
class EvolvedSource final : public Source {
public:
  /// The file, the source and the datatypes must outlive this object.
  EvolvedSource(const File& file, const Source& stored, const ModelDatatypes& datatypes);

  [[nodiscard]] const std::string& name() const noexcept override { return m_stored.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_stored.entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_stored.clusters(); }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;
  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 std::size_t cluster) const override;
  [[nodiscard]] std::optional<ColumnUsage> usage(ColumnNumber column) const override;
  [[nodiscard]] const Source* sortedKeys() const noexcept override { return m_sortedKeys; }
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_stored.unreadable();
  }

  /// Returns the datatypes whose collections differ from those in the file.
  [[nodiscard]] const std::set<const Datatype*>& datatypes() const noexcept { return m_datatypes; }

private:
  class Reading;
  struct Column { ///< the origin of a column
    /// The column of the file, if it is unchanged.
    std::optional<std::uint32_t> stored = {};
    /// Otherwise the way to make it.
    BindingOrigin origin = {};
    bool holdsTables = false; ///< whether it has numbers of tables, in references
    std::exception_ptr mistake = {};
  };
  void addRoot(const File& file, TableNumber root, const ModelDatatypes& datatypes);
  void addStored(TableNumber root, const std::string& type);
  void addTable(std::uint32_t stored, TableDefinition definition);
  void addEvolved(TableNumber root, std::vector<TableDefinition> tables,
                  const std::vector<BindingOrigin>& origins, const std::exception_ptr& mistake);
  void addDecorations(TableNumber root, std::uint32_t first,
                      std::span<const TableDefinition> tables,
                      std::span<const BindingOrigin> origins);
  [[nodiscard]] Column columnOf(const BindingOrigin& origin) const;
  [[nodiscard]] std::vector<std::uint32_t> storedColumns(const Column& column) const;
  template <class Stored>
  [[nodiscard]] std::optional<Extremes> extremesFrom(TableNumber table, MemberNumber member,
                                                     Stored stored) const;
  [[nodiscard]] std::optional<TableMember> storedMember(TableNumber table,
                                                        MemberNumber member) const;
  void renumber();

  [[nodiscard]] const Source* findSortedKeys() const;

  const Source& m_stored;
  const Source* m_sortedKeys = nullptr;
  Schema m_schema;
  std::vector<Column> m_columns;
  std::vector<std::uint32_t> m_storedRoots;  // by root table: its number in the file
  std::vector<std::uint32_t> m_numbers;      // by table of the file: the collection's number here
  std::list<std::vector<std::byte>> m_zeros; // values that origins point to
  std::set<const Datatype*> m_datatypes;
};

} // namespace kaon
