#pragma once

#include <kaon/formats/sio/Container.h>
#include <kaon/model/PodioDefinition.h>

#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::podio {

inline constexpr std::string_view fileHeaderRecord = "podio_header_info",
                                  versionBlock = "podio_version";
inline constexpr std::string_view definitionsRecord = "EDMDefinitions";
inline constexpr std::string_view definitionsBlock = "SIOMapBlockV2_KK_std__string_VV_std__string",
                                  versionsBlock =
                                      "SIOMapBlockV2_KK_std__string_VV_podio__version__Version";

/// That are read, and so written: each may use all others.
inline constexpr std::size_t mostModels = 100;

/// What a file says of itself, at its beginning and its end.
struct FileDescription {
  std::string version; ///< podio's: "1.7.99"
  std::vector<ModelDefinition> models;
};

/// Reads it. A file whose writer died has no models, of which a warning tells. Throws
/// Error(corrupt), Error(io).
[[nodiscard]] FileDescription describeFile(const Container& container);

} // namespace kaon::sio::podio
