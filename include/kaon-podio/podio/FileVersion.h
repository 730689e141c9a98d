#pragma once

#include <podio/podioVersion.h>

#include <kaon/detail/files/FileModels.h>
#include <kaon/detail/model/ModelDefinitions.h>
#include <kaon/event/Reader.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Versions and models for the readers. podio has no header of this name.

namespace podio::detail {

[[nodiscard]] inline std::optional<version::Version> versionOf(std::string_view text) {
  const auto numbers = kaon::detail::podioVersionOf(text);
  if (!numbers)
    return std::nullopt;
  return version::Version{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

/// Returns the version of podio that wrote the file, or the file from which it was made. Returns
/// build_version if it is unknown.
[[nodiscard]] inline version::Version podioVersionOf(const kaon::Reader& reader) {
  const auto text = reader.metadata().get<std::string>("podio");
  return versionOf(text.value_or("")).value_or(version::build_version);
}

/// Returns podio's definitions of the models in the file.
[[nodiscard]] inline std::vector<kaon::detail::ModelDefinition>
modelsOf(const kaon::Reader& reader) {
  return kaon::detail::modelDefinitions(kaon::detail::modelsIn(reader.file()));
}

} // namespace podio::detail
