#pragma once

#include <kaon/model/ModelDatatypes.h>
#include <kaon/object/CollectionType.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace kaon {

class File;
class Source;

/// Registers one class; for registerCollections().
void registerCollection(const CollectionType& type);

/// Registers these classes for Frame::get(name). Classes of models register themselves, also those
/// of libraries loaded later. So do bare values, and links that the program makes or gets. If
/// several classes have the same datatype, the first one stays. Any thread. Returns true, so you
/// can call it in an initialiser.
template <class... Collections>
bool registerCollections() {
  (registerCollection(collectionType<Collections>()), ...);
  return true;
}

/// Returns the class for the collection in this table. Returns GenericCollection if the program has
/// no class, but a model of the file has the datatype. Throws Error(type) if neither has it.
[[nodiscard]] CollectionType findCollectionType(const std::shared_ptr<const File>& file,
                                                const Source& source, std::uint32_t table);

/// Returns the datatype of the program's class whose name in files, of any version, is `name`; null
/// if there is no class. Any thread.
[[nodiscard]] const Datatype* programDatatype(std::string_view name);

/// Returns the datatypes of the models in a file; they live as long as the program. If the program
/// has a class for a datatype, this is the class's datatype. Any thread.
[[nodiscard]] const ModelDatatypes& datatypesIn(const std::shared_ptr<const File>& file);

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
