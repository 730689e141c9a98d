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

/// A data model as podio's files carry it.
struct ModelDefinition {
  std::string name;       ///< "edm4hep"
  std::string definition; ///< its YAML file as JSON
  std::string version;    ///< "1.1.0"; "" where the file does not say
};

using PodioVersion = std::array<std::uint16_t, 3>;
/// "1.2.3" or "v1.2.3"; nothing for other texts.
[[nodiscard]] std::optional<PodioVersion> podioVersionOf(std::string_view text);
/// The version of podio whose form files have that kaon writes.
inline constexpr std::string_view writtenPodioVersion = "1.7.0";

/// kaon's documents of these models, each with those whose types it uses: see docs/models.md. What
/// podio's definitions say beyond what is known here is left out. Throws Error(corrupt), which
/// begins with `where` and the name of the model, for a definition that is none.
[[nodiscard]] std::vector<ModelDatatypes::Document>
modelDocuments(std::span<const ModelDefinition> models, const std::string& where);

} // namespace kaon::detail
