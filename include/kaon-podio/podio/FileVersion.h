#pragma once

#include <podio/podioVersion.h>

#include <kaon/detail/files/FileModels.h>
#include <kaon/detail/model/ModelDefinitions.h>
#include <kaon/event/Reader.h>

#include <optional>
#include <string>
#include <string_view>

// Versions for the readers. podio has no header of this name.

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

/// Returns the version of a model in the file, if the file has it.
[[nodiscard]] inline std::optional<version::Version> modelVersionOf(const kaon::Reader& reader,
                                                                    std::string_view model) {
  for (const kaon::detail::ModelDefinition& each :
       kaon::detail::modelDefinitions(kaon::detail::modelsIn(reader.file())))
    if (each.name == model)
      return versionOf(each.version);
  return std::nullopt;
}

} // namespace podio::detail
