#pragma once

#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/Library.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Attributes of groups and datasets. Call all functions under the lock.

namespace kaon::hdf5 {

/// Returns a text of an object in this file, of fixed or variable length. Returns nothing if it is
/// missing, not UTF-8, or longer than 64 KiB.
[[nodiscard]] std::optional<std::string> textAttribute(hid_t object, const char* name,
                                                       SourceBytes& file);
/// Returns a whole number that is not negative, or nothing.
[[nodiscard]] std::optional<std::uint64_t> numberAttribute(hid_t object, const char* name);

/// Writes a text of variable length, which HDF5 stores in a global heap. Throws Error(io) with
/// `where`.
void putAttribute(hid_t object, const char* name, std::string_view text, std::string_view where);
/// Writes a text into the attribute itself, where a checksum covers it.
void putFixedAttribute(hid_t object, const char* name, std::string_view text,
                       std::string_view where);
void putAttribute(hid_t object, const char* name, std::uint64_t number, std::string_view where);
/// Writes a list of texts.
void putAttribute(hid_t object, const char* name, std::span<const std::string> texts,
                  std::string_view where);

} // namespace kaon::hdf5
