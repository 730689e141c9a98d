#pragma once

#include <kaon/batch/Source.h>
#include <kaon/binding/Evolution.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/MemberTree.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

namespace kaon {

/// The place of a collection's column in a file. Without a table, the file lacks the column, and
/// every value is `missing`. A member that is newer than the collection is a decoration with the
/// member's name.
struct BindingOrigin {
  static constexpr std::uint32_t slices = ~std::uint32_t{0};

  TableNumber table = Table::none;
  MemberNumber member = 0; ///< or `slices`
  const std::byte* missing = nullptr;
  /// The program's type, if the file has another one: see convert().
  std::optional<Scalar> converted = {};
  /// The bools that tell whether a value is present. If one of them is false, the value is
  /// `missing`.
  std::vector<TableMember> presences = {};
  /// The computation of a column that the file lacks; `table` is then the collection's.
  const detail::Computation* computation = nullptr;
  /// The reason why the column cannot be read; null if it can.
  std::exception_ptr mistake = {};
  /// The number of columns, from this one on, with the same distances in the file's rows as the
  /// leaves have in memory.
  std::uint32_t together = 1;
};

/// Finds the place of each column of a datatype's objects in the file: see model/ModelMatch.h.
/// `zeros` gets the values of members that the file lacks in elements of vector members. It must
/// outlive the origins. A column that cannot be read has a mistake, Error(type), which names both
/// versions. Warns once of members that only the file has. Throws Error(corrupt) for damaged files.
[[nodiscard]] std::vector<BindingOrigin> bindColumns(const File& file, const Source& source,
                                                     TableNumber table, const Datatype& type,
                                                     std::vector<std::byte>& zeros);

/// Throws Error(type) unless the collection in this table has the datatype, by its present or an
/// old name.
void checkDatatype(const File& file, const Source& source, TableNumber table, const Datatype& type);

/// Returns the values of a converted or computed column, in the page that contains the entry, from
/// the page's first row on. Throws Error(type) if a value does not fit. The message names column
/// and entry.
[[nodiscard]] ColumnView convertPage(detail::Window& window, const BindingOrigin& origin,
                                     std::uint64_t entry, Buffer& values);

} // namespace kaon
