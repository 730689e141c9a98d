#pragma once

#include <kaon/batch/SchemaUnion.h>
#include <kaon/dataset/Formula.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// A column that is written.
struct SnapshotColumn {
  std::string name;
  ColumnType type;
  std::string unit = {};
  std::string description = {};
};

/// The tables of a file that a dataframe is written to: those of the dataset that are copied, and
/// columns, which are values ("met", "title"), lists ("leading"), members of rows that have no
/// other columns ("Pair.mass"), of collections that are copied further ones, or others in place of
/// their own. For one thread at a time.
class SnapshotPlan {
public:
  /// Copies root tables of a schema by their numbers.
  SnapshotPlan(const Schema& schema, std::span<const std::uint32_t> tables);
  /// Adds columns. Throws Error(type) where one takes the place of something of another type, or
  /// has fewer lists than the collection that it is of.
  void add(const std::vector<SnapshotColumn>& columns);

  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  [[nodiscard]] bool hasCopies() const noexcept { return m_copies.schema().size() > 0; }

  /// For a batch of a source: the numbers of its tables in copies(). Throws Error(usage) if they
  /// are not the same as in the first file.
  [[nodiscard]] std::vector<std::uint32_t> numbersOf(const Schema& schema) const;
  [[nodiscard]] const Schema& copies() const noexcept { return m_copies.schema(); }

  /// A batch of schema(): copies, a batch of copies(), with columns. Throws EntryFailure where the
  /// lists of a column are not those of what it belongs to.
  [[nodiscard]] Batch join(const Batch& copies, std::span<const ArgumentValues> columns) const;

private:
  struct Column {
    std::vector<std::uint32_t> lists; // for each level, the table that lies in them
    std::uint32_t table = 0;
    std::uint32_t member = 0;
    std::size_t shared = mostListLevels; // so many of the lists have other columns, too
  };
  void addRows(const std::vector<SnapshotColumn>& columns);
  [[nodiscard]] Column placeOf(const SnapshotColumn& column);
  [[nodiscard]] std::uint32_t ownerOf(std::string_view name) const;
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> memberCalled(std::string_view name,
                                                                     std::uint32_t owner) const;
  [[nodiscard]] Column addMember(const SnapshotColumn& column, std::uint32_t owner);
  void addStrings(TableDefinition& table, Column& column);
  [[nodiscard]] Column addLists(const SnapshotColumn& column, std::uint32_t owner);

  SchemaUnion m_copies;
  Schema m_schema;
  std::vector<Column> m_columns;
};

} // namespace kaon
