#pragma once

#include <kaon/model/ModelDatatypes.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::detail {

/// A data model as stored in podio's files.
struct ModelDefinition {
  std::string name;       ///< "edm4hep"
  std::string definition; ///< its YAML file as JSON
  std::string version;    ///< "1.1.0"; "" if the file does not state it
};

using PodioVersion = std::array<std::uint16_t, 3>;
/// Returns the version in a text, "1.2.3" or "v1.2.3"; nothing for other texts.
[[nodiscard]] std::optional<PodioVersion> podioVersionOf(std::string_view text);
/// The version of podio whose file format kaon writes.
inline constexpr std::string_view writtenPodioVersion = "1.7.0";

/// Returns kaon's documents of these models, each with the models that it uses: see docs/models.md.
/// Ignores unknown entries of podio's definitions. Throws Error(corrupt), beginning with `where`
/// and the model's name, for an invalid definition.
[[nodiscard]] std::vector<ModelDatatypes::Document>
modelDocuments(std::span<const ModelDefinition> models, const std::string& where);

} // namespace kaon::detail
