#pragma once

#include <kaon/detail/dataset/Formula.h>
#include <kaon/model/MemberTree.h>
#include <kaon/selecting/SchemaUnion.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// A column to write. An optional has several: its values, or the values of its members, and its
/// presence.
struct SnapshotColumn {
  std::string name;        ///< "Muon.scaled"; for a part of an optional, the optional's name
  detail::ColumnType type; ///< without the lists that are arrays of fixed length
  std::string unit = {};
  std::string description = {};
  std::string part = {}; ///< of an optional: ".value", ".has_value", ".value.x"
  /// A step for each part of the name with `part`; see model/Structure.h.
  std::string structure = {};
  std::uint32_t extent = 1; ///< values in a row
  bool isArray = false;     ///< the values are an array of fixed length, even of length 1
};

/// Returns a column of the files with its structure.
/// @param type of the dataframe's column, which may have other lists
[[nodiscard]] SnapshotColumn storedColumn(const Schema& schema, TableMember place,
                                          detail::ColumnType type);
/// Returns the values and the presence of a column that may be missing.
[[nodiscard]] std::vector<SnapshotColumn> optionalColumns(SnapshotColumn values,
                                                          detail::ColumnType presence);

/// The tables of a file that a dataframe is written to: copied tables of the dataset, and columns.
/// Columns are values ("met", "title"), lists ("leading"), or members of rows of their own
/// ("Pair.mass"). In copied collections, they are further members, or replace members. For one
/// thread at a time.
class SnapshotPlan {
public:
  /// Copies root tables of a schema, given by their numbers.
  SnapshotPlan(const Schema& schema, std::span<const std::uint32_t> tables);
  /// Adds columns. Throws Error(type) if a column replaces a member of another type, or has fewer
  /// lists than its collection.
  void add(const std::vector<SnapshotColumn>& columns);

  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  [[nodiscard]] bool hasCopies() const noexcept { return m_copies.schema().size() > 0; }

  /// Returns the numbers of a source's tables in copies(), for its batches. Throws Error(usage) if
  /// the tables differ from the first file.
  [[nodiscard]] std::vector<std::uint32_t> numbersOf(const Schema& schema) const;
  [[nodiscard]] const Schema& copies() const noexcept { return m_copies.schema(); }

  /// Returns a batch of schema(): `copies`, a batch of copies(), with columns. Throws EntryFailure
  /// if a column's lists differ from those of its collection.
  [[nodiscard]] Batch join(const Batch& copies,
                           std::span<const detail::ArgumentValues> columns) const;

private:
  struct Column {
    std::vector<std::uint32_t> lists; // for each level, the table in its lists
    TableNumber table = 0;
    MemberNumber member = 0;
    std::size_t shared = detail::mostListLevels; // number of outer lists that other columns share
    std::uint32_t extent = 1;
    bool isArray = false;
  };
  /// The columns of one name: several for an optional.
  using Group = std::span<const SnapshotColumn* const>;
  void addRows(const std::vector<SnapshotColumn>& columns);
  [[nodiscard]] std::vector<Column> placesOf(Group group);
  [[nodiscard]] TableNumber ownerOf(std::string_view name) const;
  [[nodiscard]] std::optional<TableMember> memberOf(const SnapshotColumn& column,
                                                    std::uint32_t owner) const;
  [[nodiscard]] Column replaced(const SnapshotColumn& column, TableMember place,
                                std::uint32_t owner) const;
  [[nodiscard]] std::vector<Column> addMembers(Group group, std::uint32_t owner);
  [[nodiscard]] std::vector<Column> addDecorations(Group group, std::uint32_t owner);
  void addStrings(TableDefinition& table, Column& column);
  [[nodiscard]] std::vector<Column> addLists(Group group, std::uint32_t owner);

  SchemaUnion m_copies;
  Schema m_schema;
  std::vector<Column> m_columns;
};

} // namespace kaon
