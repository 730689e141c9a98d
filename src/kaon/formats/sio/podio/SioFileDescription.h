#pragma once

#include <kaon/formats/podio/PodioModels.h>
#include <kaon/formats/sio/SioContainer.h>

#include <string_view>

namespace kaon::sio::podio {

inline constexpr std::string_view fileHeaderRecord = "podio_header_info",
                                  versionBlock = "podio_version";
inline constexpr std::string_view definitionsRecord = "EDMDefinitions";
inline constexpr std::string_view definitionsBlock = "SIOMapBlockV2_KK_std__string_VV_std__string",
                                  versionsBlock =
                                      "SIOMapBlockV2_KK_std__string_VV_podio__version__Version";

/// Reads podio's description of a file, from its beginning and end. A file whose writer crashed has
/// no models; this warns about it. Throws Error(corrupt), Error(io).
[[nodiscard]] PodioModels describeFile(const SioContainer& container);

} // namespace kaon::sio::podio
