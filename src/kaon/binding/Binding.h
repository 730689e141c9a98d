#pragma once

#include <kaon/batch/Source.h>
#include <kaon/binding/Evolution.h>
#include <kaon/detail/batch/Window.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/MemberTree.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

namespace kaon {

/// Where a file has a column of a collection. Without a table the file lacks it: every value is
/// `missing`. A member that came later than the collection is a decoration called as it is.
struct Origin {
  static constexpr std::uint32_t slices = ~std::uint32_t{0};

  std::uint32_t table = Table::none;
  std::uint32_t member = 0; ///< or `slices`
  const std::byte* missing = nullptr;
  /// This program's type, if the file has another one: see convert().
  std::optional<Scalar> converted = {};
  /// The bools that tell where there is a value: where one of them says no, it is `missing`.
  std::vector<detail::MemberPlace> presences = {};
  /// Computes the column, if the file lacks it; `table` is then the collection's.
  const detail::Computation* computation = nullptr;
  /// Why the column cannot be read; null if it can.
  std::exception_ptr mistake = {};
  /// How many columns, from this one on, lie in the file's rows as the leaves do in memory.
  std::uint32_t together = 1;
};

/// Finds where the file has each column of a datatype's objects: see model/ModelMatch.h. `zeros`,
/// which must outlive the origins, holds the values of members that the file lacks in elements of
/// vector members. A column that cannot be read has a mistake, Error(type), that names both
/// versions. Warns once of members that only the file has. Throws Error(corrupt) for damage.
[[nodiscard]] std::vector<Origin> bindColumns(const File& file, const Source& source,
                                              std::uint32_t table, const Datatype& type,
                                              std::vector<std::byte>& zeros);

/// Throws Error(type) if the collection in this table is not of the datatype, under whatever name.
void checkDatatype(const File& file, const Source& source, std::uint32_t table,
                   const Datatype& type);

/// The values of a column that the file has as another type, or that is computed: those of the page
/// with this entry, from its first row on. Throws Error(type) if a value does not fit, and says
/// which column and entry have it.
[[nodiscard]] ColumnView convertPage(detail::Window& window, const Origin& origin,
                                     std::uint64_t entry, Buffer& values);

} // namespace kaon
