#pragma once

#include <kaon/formats/root/ntuple/Descriptor.h>
#include <kaon/model/Scalar.h>

#include <cstddef>

namespace kaon::root {

/// The type of column that ROOT gives values: where they are compressed, their bytes lie apart.
[[nodiscard]] ColumnType columnTypeFor(Scalar type, bool isCompressed) noexcept;
/// The same of where lists end, in 64 or, which suffices for a cluster of kaon's, in 32 bits.
[[nodiscard]] ColumnType indexTypeFor(bool isCompressed, bool isWide) noexcept;
/// The bits of a value in such a column, which is one of these.
[[nodiscard]] std::uint16_t bitsOf(ColumnType type) noexcept;

/// Writes values, as they lie in memory one after another, as the elements of a page of a column of
/// one of these types: pageBytes() of Elements.h. Indexes are 32-bit ends of lists, also those that
/// become 64-bit ones. `scratch` has room for the elements.
void encodeElements(ColumnType type, const std::byte* values, std::size_t count, std::byte* scratch,
                    std::byte* out) noexcept;

} // namespace kaon::root
