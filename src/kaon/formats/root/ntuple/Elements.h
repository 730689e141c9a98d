#pragma once

#include <kaon/formats/root/ntuple/NTupleDescriptor.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace kaon::root {

/// The values of a decompressed page.
struct Elements {
  std::span<const std::byte> bytes;
  std::size_t count = 0; ///< in the page
};

/// Returns the bytes that `elements` values of a column take in a page; 0 for unknown types.
[[nodiscard]] std::uint64_t pageBytes(const StoredColumn& column, std::uint64_t elements) noexcept;

/// Returns the type of a column's values before conversion. Returns nothing for indexes and for
/// types that kaon cannot read.
[[nodiscard]] std::optional<Scalar> scalarOf(const StoredColumn& column) noexcept;
[[nodiscard]] bool isIndex(NTupleColumnType type) noexcept;
/// Whether the bytes of each value are stored separately, as planes.
[[nodiscard]] bool isSplit(NTupleColumnType type) noexcept;

/// Whether values of a type have the same bytes in pages and in memory.
[[nodiscard]] bool isPlain(const StoredColumn& column, Scalar wanted) noexcept;

/// Whether values of one type can be read as another: integers as integers, floating-point numbers
/// as floating-point numbers.
[[nodiscard]] bool canConvert(Scalar from, Scalar wanted) noexcept;

/// Decodes the elements [first, first + n) of a page as values of a type, which fill `out`. Returns
/// false if a value does not fit into the type. The column must have a scalar that can be converted
/// to this type.
[[nodiscard]] bool decodeElements(const StoredColumn& column, const Elements& page,
                                  std::size_t first, Scalar wanted, std::span<std::byte> out);

/// Decodes all elements of a page of indexes: the ends of lists, counted from the beginning of the
/// cluster.
void decodeIndexes(NTupleColumnType type, const Elements& page,
                   std::span<std::uint64_t> ends) noexcept;

/// An element of a page of type Switch: the alternative, 0 for none, and the number of its value.
struct Choice {
  std::uint64_t index = 0;
  std::uint32_t tag = 0;
};
[[nodiscard]] Choice choiceAt(const Elements& page, std::size_t element) noexcept;

} // namespace kaon::root
