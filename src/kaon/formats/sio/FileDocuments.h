#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/sio/SioContainer.h>

#include <map>
#include <string>

namespace kaon::sio {

/// Texts by name, as kaon's files store them. In a SIO file they are the record `kaon_documents`
/// with one block of that name. It has the number of texts, and the name and text of each. Other
/// programs skip records that they do not know.
using Documents = std::map<std::string, std::string, std::less<>>;

/// Reads the documents of a file. Empty if the record is missing. Throws Error(corrupt),
/// Error(io).
[[nodiscard]] Documents readDocuments(const SioContainer& container);

/// Encodes the record of documents, without models. Returns nothing if there are no other
/// documents. `file` is for messages.
[[nodiscard]] Buffer documentsRecord(const Documents& documents, Compression how,
                                     const std::string& file);

} // namespace kaon::sio
