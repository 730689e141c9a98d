#pragma once

#include <kaon/detail/model/PodioDefinition.h>
#include <kaon/formats/sio/Container.h>

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

/// The most models that kaon reads and writes. The number is limited because each model may use all
/// others.
inline constexpr std::size_t mostModels = 100;

/// podio's description of a file, from its beginning and end.
struct FileDescription {
  std::string version; ///< podio's version: "1.7.99"
  std::vector<detail::ModelDefinition> models;
};

/// Reads the description. A file whose writer crashed has no models; this warns about it. Throws
/// Error(corrupt), Error(io).
[[nodiscard]] FileDescription describeFile(const Container& container);

} // namespace kaon::sio::podio
