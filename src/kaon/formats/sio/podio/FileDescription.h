#pragma once

#include <kaon/formats/sio/Container.h>
#include <kaon/model/PodioDefinition.h>

#include <string>
#include <vector>

namespace kaon::sio::podio {

inline constexpr std::string_view fileHeaderRecord = "podio_header_info";

/// What a file says of itself, at its beginning and its end.
struct FileDescription {
  std::string version; ///< podio's: "1.7.99"
  std::vector<ModelDefinition> models;
};

/// Reads it. A file whose writer died has no models, of which a warning tells. Throws
/// Error(corrupt), Error(io).
[[nodiscard]] FileDescription describeFile(const Container& container);

} // namespace kaon::sio::podio
