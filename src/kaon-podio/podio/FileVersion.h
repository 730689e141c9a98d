#pragma once

#include <podio/podioVersion.h>

#include <kaon/event/Reader.h>
#include <kaon/files/FileModels.h>
#include <kaon/model/ModelDefinitions.h>

#include <optional>
#include <string>
#include <string_view>

// What the readers say of their files; podio has no such header.

namespace podio::detail {

[[nodiscard]] inline std::optional<version::Version> versionOf(std::string_view text) {
  const auto numbers = kaon::podioVersionOf(text);
  if (!numbers)
    return std::nullopt;
  return version::Version{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

/// Of podio, where it wrote the file, or one that this was made of.
[[nodiscard]] inline version::Version podioVersionOf(const kaon::Reader& reader) {
  const auto text = reader.metadata().get<std::string>("podio");
  return versionOf(text.value_or("")).value_or(version::build_version);
}

/// Of a model that the file carries, if it says that.
[[nodiscard]] inline std::optional<version::Version> modelVersionOf(const kaon::Reader& reader,
                                                                    std::string_view model) {
  for (const kaon::ModelDefinition& each : kaon::modelDefinitions(kaon::modelsIn(reader.file())))
    if (each.name == model)
      return versionOf(each.version);
  return std::nullopt;
}

} // namespace podio::detail
