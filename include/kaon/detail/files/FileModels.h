#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/ModelDatatypes.h>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// Models by the names of their documents.
using NamedModels = std::map<std::string, ModelDatatypes::Document>;
/// Adds the models in a file whose names are not there yet.
void addModels(const File& file, NamedModels& models);
[[nodiscard]] std::vector<ModelDatatypes::Document> inOrder(NamedModels models);

/// Returns the models in files, sorted by name; of models with the same name, the first file's.
[[nodiscard]] std::vector<ModelDatatypes::Document> modelsIn(std::span<const File* const> files);
[[nodiscard]] std::vector<ModelDatatypes::Document> modelsIn(const File& file);

/// Returns whether a column of this file may be optional in other files of the same kind. Files
/// with models state their optionals there.
[[nodiscard]] bool mayDifferInOptionals(const File& file);

} // namespace kaon::detail
