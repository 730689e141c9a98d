#pragma once

#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/container/ContainerWriter.h>

#include <map>
#include <string>
#include <string_view>

namespace kaon::root {

/// Texts by name, as kaon's files carry them. In a ROOT file they are the entries of an RNTuple
/// with two strings, `name` and `text`, which is no category.
using Documents = std::map<std::string, std::string, std::less<>>;

/// What that RNTuple is called.
inline constexpr std::string_view documentsName = "kaon_documents";

/// All that a file carries; none if it has no such RNTuple. Throws Error(corrupt), Error(io).
[[nodiscard]] Documents readDocuments(const Container& container);

/// Throws Error(io).
void writeDocuments(ContainerWriter& file, const Documents& documents);

} // namespace kaon::root
