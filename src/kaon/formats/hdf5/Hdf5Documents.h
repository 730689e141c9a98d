#pragma once

#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/Library.h>

#include <map>
#include <string>
#include <string_view>

namespace kaon::hdf5 {

/// Texts by name, as kaon's files store them. Each is a dataset of one string in a group that is
/// not a category. Its name is that of the text without slashes. The attribute `name` has the whole
/// name.
using Documents = std::map<std::string, std::string, std::less<>>;

inline constexpr std::string_view documentsGroup = "documents";

/// Reads all documents of a file. Empty if the file does not have this group. Call it under the
/// lock. Throws Error(corrupt) with `where`.
[[nodiscard]] Documents readDocuments(hid_t file, SourceBytes& bytes, const std::string& where);

/// Writes the documents. Call it under the lock. Throws Error(io) with `where`.
void writeDocuments(hid_t file, const Documents& documents, const std::string& where);

} // namespace kaon::hdf5
