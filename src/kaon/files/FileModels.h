#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/ModelDatatypes.h>

#include <span>
#include <vector>

namespace kaon {

/// The models that files carry, by name; of several of one name that of the first file.
[[nodiscard]] std::vector<ModelDatatypes::Document> modelsIn(std::span<const File* const> files);
[[nodiscard]] std::vector<ModelDatatypes::Document> modelsIn(const File& file);

} // namespace kaon
