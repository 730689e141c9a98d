#pragma once

#include <kaon/detail/reading/ColumnValues.h>
#include <kaon/model/Schema.h>
#include <kaon/model/Table.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::detail {

/// The place of a column in a schema, and its type for each entry.
struct ColumnLocator {
  static constexpr MemberNumber noMember = ~std::uint32_t{0};

  /// Table::none if the column does not exist. Its lists, if any, are then empty.
  TableNumber table = 0;
  /// `noMember` for columns without values.
  MemberNumber member = noMember;
  /// Whether the values are numbers of rows.
  bool isCount = false;
  /// The number of values in a row.
  std::uint32_t extent = 1;
  /// Whether the values of a row form a list, even if there is only one.
  bool isArray = false;
  /// The counted tables above the values, the outermost first.
  std::vector<std::uint32_t> lists = {};
  ColumnType type = {};
  /// The members that tell whether a value is present, if they are read too.
  std::vector<TableMember> presences = {};
  /// For the collections of references: the new number of each of the source's tables. Empty to
  /// keep the source's numbers.
  std::vector<std::uint32_t> numbers = {};

  /// Returns whether the values equal those in the source.
  [[nodiscard]] bool isStored() const noexcept {
    return member != noMember && !isCount && numbers.empty();
  }
};

/// Returns the column with this name. A name is a member, "Muon.pt", or a table of bare values or
/// lists, "run" or "waveforms". '#' and a table, "#Muon", is the number of the table's rows in each
/// entry or row of the parent. Throws Error(name) with a suggestion, and Error(type) for lists with
/// too many levels.
[[nodiscard]] ColumnLocator columnPlace(const Schema& schema, std::string_view name);
/// Returns the column of a member by its number. `name` is for messages.
[[nodiscard]] ColumnLocator columnPlace(const Schema& schema, TableMember member,
                                        std::string_view name);
/// Returns the counted tables from the outermost down to this one.
[[nodiscard]] std::vector<std::uint32_t> listsAbove(const Schema& schema, TableNumber table);
/// Renumbers the collections of references, if the column contains them. They get the numbers of
/// `other`, or Table::none if `other` lacks the collection.
void renumber(ColumnLocator& place, const Schema& schema, const Schema& other);
/// Returns the place of a table's rows, without values. Throws Error(name), and Error(type) for
/// lists with too many levels.
[[nodiscard]] ColumnLocator listsPlace(const Schema& schema, std::string_view table);

} // namespace kaon::detail
