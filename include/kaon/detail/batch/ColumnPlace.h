#pragma once

#include <kaon/detail/batch/ColumnValues.h>
#include <kaon/detail/model/MemberPlace.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::detail {

/// Where a schema has a column of numbers, and what it is for each entry.
struct ColumnPlace {
  static constexpr std::uint32_t noMember = ~std::uint32_t{0};

  std::uint32_t table = 0; ///< Table::none: there is no such column, and so empty lists, if any
  std::uint32_t member = noMember;       ///< none: there are no values
  bool isCount = false;                  ///< it is how many rows there are
  std::uint32_t extent = 1;              ///< values in a row
  bool isArray = false;                  ///< they are a list, also where it is only one
  std::vector<std::uint32_t> lists = {}; ///< the counted tables on the way, the outermost first
  ColumnType type = {};
  /// The members of the table's rows that say where it is there, if that is to be read, too.
  std::vector<MemberPlace> presences = {};
  /// Of the collections that references lead to: what stands for the number of each of the source's
  /// tables. Empty: the number itself.
  std::vector<std::uint32_t> numbers = {};

  /// Whether the values are those that the source has.
  [[nodiscard]] bool isStored() const noexcept {
    return member != noMember && !isCount && numbers.empty();
  }
};

/// The column of this name: a member, "Muon.pt"; what is one value a row, "run", or a list in it,
/// "waveforms"; after a '#' how many rows a table has in each entry, or row above it, "#Muon".
/// Throws Error(name) with a suggestion, Error(type) where lists lie too deep.
[[nodiscard]] ColumnPlace columnPlace(const Schema& schema, std::string_view name);
/// Returns the column of a member by its number. `name` is for messages.
[[nodiscard]] ColumnPlace columnPlace(const Schema& schema, MemberPlace member,
                                      std::string_view name);
/// The counted tables from the outermost down to this one.
[[nodiscard]] std::vector<std::uint32_t> listsAbove(const Schema& schema, std::uint32_t table);
/// Where a column says which collections references lead to: makes it say so by the numbers that
/// these have in another schema, Table::none for those that it does not have.
void renumber(ColumnPlace& place, const Schema& schema, const Schema& other);
/// Where the rows of a table lie, without any values of them. Throws Error(name).
[[nodiscard]] ColumnPlace listsPlace(const Schema& schema, std::string_view table);

} // namespace kaon::detail
