#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/sio/Container.h>

#include <map>
#include <string>

namespace kaon::sio {

/// Texts by name, as kaon's files carry them. In a SIO file they are the record `kaon_documents`
/// with one block of that name: how many they are, and the name and text of each. Others pass over
/// a record that they do not know.
using Documents = std::map<std::string, std::string, std::less<>>;

/// Those that a file has; none if it has no such record. Throws Error(corrupt), Error(io).
[[nodiscard]] Documents readDocuments(const Container& container);

/// The record of some, but for models; nothing if there are no others. `file` is for messages.
[[nodiscard]] Buffer documentsRecord(const Documents& documents, Compression how,
                                     const std::string& file);

} // namespace kaon::sio
