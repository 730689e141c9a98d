#pragma once

#include <kaon/detail/object/CollectionType.h>
#include <kaon/model/ModelDatatypes.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace kaon {

namespace detail {

/// Registers one class; for registerCollections().
void registerCollection(const CollectionType& type);

} // namespace detail

/// Registers these classes for Frame::get(name). Classes of models register themselves, also those
/// of libraries loaded later. So do bare values, and links that the program makes or gets. If
/// several classes have the same datatype, the first one stays. Any thread. Returns true, so you
/// can call it in an initialiser.
template <class... Collections>
bool registerCollections() {
  (detail::registerCollection(detail::collectionType<Collections>()), ...);
  return true;
}

/// Which classes of the program represent datatypes of the same name.
enum class ProgramClasses {
  ofAnyVersion,
  ofTheModels ///< only those generated from exactly these models
};
/// Returns the datatypes of other models, given as `kaon model --json` prints them. Any thread.
[[nodiscard]] const ModelDatatypes&
modelDatatypes(std::vector<ModelDatatypes::Document> models,
               ProgramClasses classes = ProgramClasses::ofAnyVersion);

} // namespace kaon
