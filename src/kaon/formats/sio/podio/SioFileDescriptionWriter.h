#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/model/ModelDatatypes.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The records at the beginning and end of podio's files.

namespace kaon::sio::podio {

/// The places of the records of one name.
using RecordPositions = std::pair<std::string, std::vector<std::uint32_t>>;

/// The name of the record with the models in the list of places.
inline constexpr std::string_view definitionsPlace = "podio_SIO_EDMDefinitions";

/// Whether records of this name belong to no category.
[[nodiscard]] bool isOwnRecord(std::string_view name);

/// Encodes the first record: the version of podio whose format kaon writes.
[[nodiscard]] Buffer versionRecord();
/// Encodes the record with the models in podio's form. Throws Error(corrupt) for documents that are
/// not models. Throws Error(usage) for more models than kaon reads. `file` is for the message.
[[nodiscard]] Buffer modelsRecord(std::span<const ModelDatatypes::Document> models, Compression how,
                                  const std::string& file);
/// Encodes the last record, with the places of the others. Its own place, `position`, follows it.
[[nodiscard]] Buffer placesRecord(const std::vector<RecordPositions>& places,
                                  std::uint32_t position, Compression how);

} // namespace kaon::sio::podio
