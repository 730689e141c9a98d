#pragma once

#include <kaon/batch/Keys.h>
#include <kaon/batch/Source.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kaon {

// Entries are found by integers of which each entry has one: values, such as "run", or members of a
// collection with one object an entry, such as "EventHeader.eventNumber". Where they are keys
// (WriterOptions::keys) the file has them sorted, and few pages are read. By others, and in files
// that were not finished, all clusters and pages are read whose bounds do not exclude them.
//
// All functions throw Error(name), with a suggestion, for a name that there is not; Error(type) for
// what is no integer; Error(usage) for a member that some entry does not have just once; and
// Error(corrupt). Any thread.

/// What an entry is looked up by.
struct Key {
  std::string_view name;
  std::int64_t value = 0;        ///< that of an unsigned 64-bit one: its bits
  KeyBits bits = KeyBits::ofKey; ///< for who does not know the key's type
};

/// The first entry with these values, if there is one.
[[nodiscard]] std::optional<std::uint64_t> find(const Source& source, std::span<const Key> keys);

/// All entries with these values, ascending: those of a run, say.
[[nodiscard]] std::vector<std::uint64_t> findAll(const Source& source, std::span<const Key> keys);

/// What many entries are looked up by.
struct KeyColumn {
  std::string_view name;
  std::span<const std::int64_t> values; ///< one for each entry that is wanted
  KeyBits bits = KeyBits::ofKey;        ///< as those of a Key
};

/// The first entry for each row of values, if there is one: those of a pick list, or of the keys of
/// another file that is to be joined. Each page is read once, in whatever order the rows are.
/// Throws Error(usage) if the columns differ in length.
[[nodiscard]] std::vector<std::optional<std::uint64_t>> findEach(const Source& source,
                                                                 std::span<const KeyColumn> keys);

} // namespace kaon
