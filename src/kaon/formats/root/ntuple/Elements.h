#pragma once

#include <kaon/formats/root/ntuple/Descriptor.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace kaon::root {

/// The values of a page that is decompressed.
struct Elements {
  std::span<const std::byte> bytes;
  std::size_t count = 0; ///< in the page
};

/// How many bytes so many elements of a column take in a page. Types that are none take none.
[[nodiscard]] std::uint64_t pageBytes(const StoredColumn& column, std::uint64_t elements) noexcept;

/// The type that a column's values have as they are; nothing if they are indexes, or kaon cannot
/// read them.
[[nodiscard]] std::optional<Scalar> scalarOf(const StoredColumn& column) noexcept;
[[nodiscard]] bool isIndex(ColumnType type) noexcept;
/// Whether the bytes of its values lie apart.
[[nodiscard]] bool isSplit(ColumnType type) noexcept;

/// Whether values of a type lie in pages as they do in memory.
[[nodiscard]] bool isPlain(const StoredColumn& column, Scalar wanted) noexcept;

/// Whether values of one type may be read as those of another: numbers that are whole as such,
/// others as such.
[[nodiscard]] bool canConvert(Scalar from, Scalar wanted) noexcept;

/// Decodes the elements [first, first + n) of a page as values of a type, which fill `out`. Returns
/// false if one of them does not fit into the type. The column must have a scalar that can be
/// converted to it.
[[nodiscard]] bool decodeElements(const StoredColumn& column, const Elements& page,
                                  std::size_t first, Scalar wanted, std::span<std::byte> out);

/// Decodes all elements of a page of indexes: where lists end, from the beginning of the cluster.
void decodeIndexes(ColumnType type, const Elements& page, std::span<std::uint64_t> ends) noexcept;

/// An element of a page of type Switch: which alternative (0: none), and the number of its value.
struct Choice {
  std::uint64_t index = 0;
  std::uint32_t tag = 0;
};
[[nodiscard]] Choice choiceAt(const Elements& page, std::size_t element) noexcept;

} // namespace kaon::root
