#pragma once

#include <kaon/batch/SchemaUnion.h>
#include <kaon/detail/dataset/Formula.h>
#include <kaon/model/MemberTree.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// A column that is written. An optional is several: its values, or those of its members, and its
/// presence.
struct SnapshotColumn {
  std::string name;        ///< "Muon.scaled"; of a part of an optional that of the optional
  detail::ColumnType type; ///< without the list that an array of fixed length is
  std::string unit = {};
  std::string description = {};
  std::string part = {}; ///< of an optional: ".value", ".has_value", ".value.x"
  /// Of the name with the part, a step for each of their parts; see model/Structure.h.
  std::string structure = {};
  std::uint32_t extent = 1; ///< values in a row
  bool isArray = false;     ///< they are an array of fixed length, also where it is only one
};

/// A column of the files, with the structure that it has there.
/// @param type of the dataframe's column, whose lists may be others
[[nodiscard]] SnapshotColumn storedColumn(const Schema& schema, detail::MemberPlace place,
                                          detail::ColumnType type);
/// The values, and where they are, of a column that may be missing.
[[nodiscard]] std::vector<SnapshotColumn> optionalColumns(SnapshotColumn values,
                                                          detail::ColumnType presence);

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
  [[nodiscard]] Batch join(const Batch& copies,
                           std::span<const detail::ArgumentValues> columns) const;

private:
  struct Column {
    std::vector<std::uint32_t> lists; // for each level, the table that lies in them
    std::uint32_t table = 0;
    std::uint32_t member = 0;
    std::size_t shared = detail::mostListLevels; // so many of the lists have other columns, too
    std::uint32_t extent = 1;
    bool isArray = false;
  };
  /// The columns of one name: several of an optional.
  using Group = std::span<const SnapshotColumn* const>;
  void addRows(const std::vector<SnapshotColumn>& columns);
  [[nodiscard]] std::vector<Column> placesOf(Group group);
  [[nodiscard]] std::uint32_t ownerOf(std::string_view name) const;
  [[nodiscard]] std::optional<detail::MemberPlace> memberOf(const SnapshotColumn& column,
                                                            std::uint32_t owner) const;
  [[nodiscard]] Column replaced(const SnapshotColumn& column, detail::MemberPlace place,
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
