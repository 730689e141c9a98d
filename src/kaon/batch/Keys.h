#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/detail/batch/KeyBits.h>
#include <kaon/model/Scalar.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kaon {

/// The place of a key, an integer for each entry. It is a value, such as "run", or a member of a
/// collection with one object per entry, such as "EventHeader.eventNumber".
struct KeyLocator {
  std::string name;
  TableNumber table = 0;
  MemberNumber member = 0;
  Scalar type = Scalar::Int64;
};
/// Returns the key with this name; nothing if the value or member does not exist, or is not an
/// integer.
[[nodiscard]] std::optional<KeyLocator> findKey(const Schema& schema, std::string_view name);
/// Returns whether a key can have this type.
[[nodiscard]] constexpr bool isInteger(Scalar type) noexcept {
  return type != Scalar::Bool && type != Scalar::Float32 && type != Scalar::Float64;
}

// Keys of all types are compared by their *rank*: an unsigned number in the same order.

/// Returns the rank of the value at `bytes`.
[[nodiscard]] std::uint64_t rankOf(Scalar type, const std::byte* bytes) noexcept;
/// Returns the rank of a number that a caller passes; nothing if the type cannot hold the number.
[[nodiscard]] std::optional<std::uint64_t> rankOf(Scalar type, std::int64_t number,
                                                  detail::KeyBits bits) noexcept;
/// Returns the number of a rank, as callers pass it.
[[nodiscard]] std::int64_t numberOf(Scalar type, std::uint64_t rank) noexcept;
/// Writes the ranks of values, one after another.
void ranksOf(Scalar type, const ColumnView& values, std::span<std::uint64_t> ranks) noexcept;
/// Writes the values of ranks, one after another.
void valuesOf(Scalar type, std::span<const std::uint64_t> ranks, std::byte* values) noexcept;

/// Returns the first entry without exactly one row, given the entries' offsets; nothing if all have
/// one.
[[nodiscard]] std::optional<std::size_t>
entryWithoutOne(std::span<const std::uint32_t> offsets) noexcept;
/// Throws Error(usage): an entry of a source, or file, has this many rows of a key.
[[noreturn]] void failNotOne(const std::string& name, const std::string& key, std::uint64_t entry,
                             std::uint32_t rows);

} // namespace kaon
