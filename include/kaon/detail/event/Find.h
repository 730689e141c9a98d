#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/batch/KeyBits.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::detail {

// Entries are found by integers that each entry has once: values, such as "run", or members of a
// collection with one object per entry, such as "EventHeader.eventNumber". If they are keys
// (WriterOptions::keys), the file has them sorted, and a search reads few pages. For other members,
// and in unfinished files, a search reads all clusters and pages whose bounds do not exclude the
// values.
//
// All functions throw Error(name), with a suggestion, for an unknown name. They throw Error(type)
// for a member that is not an integer, and Error(usage) for a member that some entry does not have
// exactly once. They also throw Error(corrupt). Any thread.

/// A name, and the value to find an entry by.
struct Key {
  std::string_view name;
  std::int64_t value = 0;        ///< of an unsigned 64-bit key: its bits
  KeyBits bits = KeyBits::ofKey; ///< for callers that do not know the key's type
};

/// Returns the first entry with these values, if there is one.
[[nodiscard]] std::optional<std::uint64_t> find(const Source& source, std::span<const Key> keys);

/// Returns all entries with these values in ascending order, such as those of a run.
[[nodiscard]] std::vector<std::uint64_t> findAll(const Source& source, std::span<const Key> keys);

/// A name, and the values to find many entries by.
struct KeyColumn {
  std::string_view name;
  std::span<const std::int64_t> values; ///< one for each wanted entry
  KeyBits bits = KeyBits::ofKey;        ///< as in Key
};

/// Returns the first entry for each row of values, if there is one. Use it for a pick list, or to
/// join the keys of another file. Reads each page once, whatever the order of the rows. Throws
/// Error(usage) if the columns differ in length.
[[nodiscard]] std::vector<std::optional<std::uint64_t>> findEach(const Source& source,
                                                                 std::span<const KeyColumn> keys);

} // namespace kaon::detail
