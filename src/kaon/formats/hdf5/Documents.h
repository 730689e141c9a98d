#pragma once

#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/Library.h>

#include <map>
#include <string>
#include <string_view>

namespace kaon::hdf5 {

/// Texts by name, as kaon's files carry them: each is a dataset of one string in a group that is no
/// category, called as the text is, but for slashes, with the whole name as the attribute `name`.
using Documents = std::map<std::string, std::string, std::less<>>;

inline constexpr std::string_view documentsGroup = "documents";

/// All that a file carries; none if it has no such group. Under the lock. Throws Error(corrupt),
/// with `where`.
[[nodiscard]] Documents readDocuments(hid_t file, SourceBytes& bytes, const std::string& where);

/// Under the lock. Throws Error(io), with `where`.
void writeDocuments(hid_t file, const Documents& documents, const std::string& where);

} // namespace kaon::hdf5
