#pragma once

#include <kaon/batch/Source.h>
#include <kaon/batch/Window.h>
#include <kaon/binding/Evolution.h>
#include <kaon/model/Datatype.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace kaon {

/// A member of a table, by their numbers.
struct MemberPlace {
  std::uint32_t table = Table::none;
  std::uint32_t member = 0;
  friend bool operator==(const MemberPlace&, const MemberPlace&) = default;
};

/// Where a file has a column of a collection. Without a table the file lacks it: every value is
/// `missing`. A member that came later than the collection is a decoration called as it is.
struct Origin {
  static constexpr std::uint32_t slices = ~std::uint32_t{0};

  std::uint32_t table = Table::none;
  std::uint32_t member = 0; ///< or `slices`
  const std::byte* missing = nullptr;
  /// This program's type, if the file has another one: see convert().
  std::optional<Scalar> converted = {};
  /// Of an optional member: the member of bools that says where there is a value, not `missing`.
  std::optional<MemberPlace> mask = {};
  /// Computes the column, if the file lacks it; `table` is then the collection's.
  const Computation* computation = nullptr;
  /// How many columns, from this one on, lie in the file's rows as the leaves do in memory.
  std::uint32_t together = 1;
};

/// Finds, by name, where the file has each column of a datatype's objects: under its own name, or
/// the newest of its old names that the file has. `zeros`, which must outlive the origins, becomes
/// what elements of vector members have where the file lacks a member. Members that only the file
/// has, because its model is newer than this program's, are left out with a warning. Throws
/// Error(type) for what is of another kind than in this program's model.
[[nodiscard]] std::vector<Origin> bindColumns(const File& file, const Source& source,
                                              std::uint32_t table, const Datatype& type,
                                              std::vector<std::byte>& zeros);

/// Throws Error(type) if the collection in this table is not of the datatype, under whatever name.
void checkDatatype(const File& file, const Source& source, std::uint32_t table,
                   const Datatype& type);

/// The values of a column that the file has as another type, or that is computed: those of the page
/// with this entry, from its first row on. Throws Error(type) if a value does not fit, and says
/// which column and entry have it.
[[nodiscard]] ColumnView convertPage(Window& window, const Origin& origin, std::uint64_t entry,
                                     Buffer& values);

} // namespace kaon
