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

/// Where a key is: an integer an entry, which is a value, such as "run", or a member of a
/// collection with one object an entry, such as "EventHeader.eventNumber".
struct KeyPlace {
  std::string name;
  std::uint32_t table = 0;
  std::uint32_t member = 0;
  Scalar type = Scalar::Int64;
};
/// The key of this name; nothing if there is no such value or member, or it is no integer.
[[nodiscard]] std::optional<KeyPlace> findKey(const Schema& schema, std::string_view name);
/// Whether an integer of this type can have the bytes of a key.
[[nodiscard]] constexpr bool isInteger(Scalar type) noexcept {
  return type != Scalar::Bool && type != Scalar::Float32 && type != Scalar::Float64;
}

// Keys of all types are compared by their *rank*: an unsigned number that is greater if the key is.

/// The rank of a value that lies at `bytes`.
[[nodiscard]] std::uint64_t rankOf(Scalar type, const std::byte* bytes) noexcept;
/// The rank of a number as callers give it. Nothing if the type does not have the number.
[[nodiscard]] std::optional<std::uint64_t> rankOf(Scalar type, std::int64_t number,
                                                  detail::KeyBits bits) noexcept;
/// The number of a rank as callers give it.
[[nodiscard]] std::int64_t numberOf(Scalar type, std::uint64_t rank) noexcept;
/// Ranks of values one after another.
void ranksOf(Scalar type, const ColumnView& values, std::span<std::uint64_t> ranks) noexcept;
/// Values of ranks, one after another.
void valuesOf(Scalar type, std::span<const std::uint64_t> ranks, std::byte* values) noexcept;

/// The first entry that does not have one row, by where the rows of each begin; nothing if all do.
[[nodiscard]] std::optional<std::size_t>
entryWithoutOne(std::span<const std::uint32_t> offsets) noexcept;
/// Throws Error(usage): an entry of a source, or file, has so many of a key.
[[noreturn]] void failNotOne(const std::string& name, const std::string& key, std::uint64_t entry,
                             std::uint32_t rows);

} // namespace kaon
