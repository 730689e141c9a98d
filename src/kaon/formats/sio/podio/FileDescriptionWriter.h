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

// What podio's files begin and end with.

namespace kaon::sio::podio {

/// The places of the records of one name.
using RecordPlaces = std::pair<std::string, std::vector<std::uint32_t>>;

/// By which the places name the record with the models.
inline constexpr std::string_view definitionsPlace = "podio_SIO_EDMDefinitions";

/// Whether records of this name are none of a category.
[[nodiscard]] bool isOwnRecord(std::string_view name);

/// The first record: the version of podio whose form files have that kaon writes.
[[nodiscard]] Buffer versionRecord();
/// The record with the models, as podio defines them. Throws Error(corrupt) for documents that are
/// none, Error(usage) for more than are read; `file` is for the message.
[[nodiscard]] Buffer modelsRecord(std::span<const ModelDatatypes::Document> models, Compression how,
                                  const std::string& file);
/// The last record, which says where others lie, and behind it where it lies itself: `position`.
[[nodiscard]] Buffer placesRecord(const std::vector<RecordPlaces>& places, std::uint32_t position,
                                  Compression how);

} // namespace kaon::sio::podio
