#pragma once

#include <kaon/detail/model/PodioDefinition.h>
#include <kaon/model/ModelDatatypes.h>

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// The most models that kaon reads and writes in podio's files. The number is limited because each
/// model may use all others.
inline constexpr std::size_t mostPodioModels = 100;

/// podio's version and the models in a file of podio's.
struct PodioModels {
  std::string version = {}; ///< of podio: "1.7.99"
  std::vector<detail::ModelDefinition> models = {};

  /// Adds a model, unless there is one of its name.
  void add(detail::ModelDefinition model);
};

/// Returns podio's definitions of the models among documents. Throws Error(usage) for more models
/// than kaon reads, beginning with `file`. Throws Error(corrupt) for documents that are not models.
[[nodiscard]] std::vector<detail::ModelDefinition>
podioDefinitions(std::span<const ModelDatatypes::Document> models, const std::string& file);

/// kaon's documents of a file of podio's.
struct PodioDocuments {
  std::map<std::string, std::string, std::less<>> texts; ///< by name
  std::vector<ModelDatatypes::Document> models;          ///< those among the texts
};
/// Returns the documents of a file: the models, the documents that kaon added, and podio's version
/// in the metadata. Throws Error(corrupt).
[[nodiscard]] PodioDocuments podioDocuments(const PodioModels& models,
                                            std::map<std::string, std::string, std::less<>> added,
                                            const std::string& file);

} // namespace kaon
