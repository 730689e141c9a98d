#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/ModelDatatypes.h>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// Models, by the names of their documents.
using NamedModels = std::map<std::string, ModelDatatypes::Document>;
/// Adds those that a file carries, but for such whose names are there.
void addModels(const File& file, NamedModels& models);
[[nodiscard]] std::vector<ModelDatatypes::Document> inOrder(NamedModels models);

/// The models that files carry, by name; of several of one name that of the first file.
[[nodiscard]] std::vector<ModelDatatypes::Document> modelsIn(std::span<const File* const> files);
[[nodiscard]] std::vector<ModelDatatypes::Document> modelsIn(const File& file);

} // namespace kaon
