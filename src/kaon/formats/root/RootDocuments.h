#pragma once

#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/formats/root/container/RootContainer.h>

#include <map>
#include <string>
#include <string_view>

namespace kaon::root {

/// Texts by name, as kaon's files store them. In a ROOT file they are the entries of an RNTuple
/// with two strings, `name` and `text`. This RNTuple is not a category.
using Documents = std::map<std::string, std::string, std::less<>>;

/// The name of that RNTuple.
inline constexpr std::string_view documentsName = "kaon_documents";

/// Reads all documents of a file. Returns an empty map if the file has no RNTuple of that name.
/// Throws Error(corrupt), Error(io).
[[nodiscard]] Documents readDocuments(const RootContainer& container);

/// Writes the documents. Throws Error(io).
void writeDocuments(ContainerWriter& file, const Documents& documents);

} // namespace kaon::root
