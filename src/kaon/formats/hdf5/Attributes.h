#pragma once

#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/Library.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Attributes of groups and datasets. All under the lock.

namespace kaon::hdf5 {

/// A text of an object in this file, be it of fixed length or not; nothing if there is none of this
/// name, or it is no text in UTF-8, or longer than 64 KiB.
[[nodiscard]] std::optional<std::string> textAttribute(hid_t object, const char* name,
                                                       SourceBytes& file);
/// A whole number that is not negative.
[[nodiscard]] std::optional<std::uint64_t> numberAttribute(hid_t object, const char* name);

/// A text of any length, which HDF5 keeps in a global heap. Throws Error(io), with `where`.
void putAttribute(hid_t object, const char* name, std::string_view text, std::string_view where);
/// One that lies in the attribute itself, among what has a checksum.
void putFixedAttribute(hid_t object, const char* name, std::string_view text,
                       std::string_view where);
void putAttribute(hid_t object, const char* name, std::uint64_t number, std::string_view where);
/// A list of texts.
void putAttribute(hid_t object, const char* name, std::span<const std::string> texts,
                  std::string_view where);

} // namespace kaon::hdf5
