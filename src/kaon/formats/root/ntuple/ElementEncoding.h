#pragma once

#include <kaon/formats/root/ntuple/NTupleDescriptor.h>
#include <kaon/model/Scalar.h>

#include <cstddef>

namespace kaon::root {

/// Returns ROOT's type of column for values. Compressed values have the bytes of each value stored
/// separately.
[[nodiscard]] NTupleColumnType columnTypeFor(Scalar type, bool isCompressed) noexcept;
/// Returns the type of column for the ends of lists, in 64 or 32 bits. 32 bits suffice for kaon's
/// clusters.
[[nodiscard]] NTupleColumnType indexTypeFor(bool isCompressed, bool isWide) noexcept;
/// Returns the number of bits of a value in a column of one of these types.
[[nodiscard]] std::uint16_t bitsOf(NTupleColumnType type) noexcept;

/// Encodes values, which are contiguous in memory, as the elements of a page: pageBytes() of
/// Elements.h gives its size. Indexes are 32-bit ends of lists; they are widened for 64-bit types.
/// `scratch` has room for the elements.
void encodeElements(NTupleColumnType type, const std::byte* values, std::size_t count,
                    std::byte* scratch, std::byte* out) noexcept;

} // namespace kaon::root
