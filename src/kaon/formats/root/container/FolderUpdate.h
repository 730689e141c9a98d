#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/container/RecordKey.h>

#include <cstdint>
#include <span>
#include <string>

namespace kaon::root {

/// The key of an object that is added to a folder.
struct AddedKey {
  RecordKey key;
  std::uint64_t replaced = 0; ///< position of the record that it replaces, or 0
};

/// Returns the keys of a folder with further ones: a number, then the keys. `stored` is the record
/// of the folder's keys, which are copied unchanged. A key comes before older ones of its name, as
/// ROOT orders them. Throws Error(corrupt).
[[nodiscard]] Buffer withKeys(std::span<const std::byte> stored, std::span<const AddedKey> added,
                              const std::string& where);

/// Returns the header of a folder with another place of its keys. `stored` are the bytes of the
/// folder's record, from the header on. Throws Error(usage) if they have no room for a position
/// beyond 2 GB.
[[nodiscard]] Buffer withKeysAt(std::span<const std::byte> stored, std::uint64_t keys,
                                std::uint64_t keysBytes, const std::string& where);

} // namespace kaon::root
