#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kaon {

/// What an entry is looked up by: a value of one integer an entry, such as "run".
struct Key {
  std::string_view name;
  std::int64_t value = 0; ///< that of an unsigned 64-bit one: its bits
};

/// The first entry with these values, if there is one. Clusters and pages whose bounds exclude them
/// are passed over; those of declared keys (WriterOptions::keys) stand in the file's index. Throws
/// Error(name), with a suggestion, for a name that there is not, Error(type) for no integers. Any
/// thread.
[[nodiscard]] std::optional<std::uint64_t> find(const Source& source, std::span<const Key> keys);

} // namespace kaon
