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

/// Makes one class known; for registerCollections().
void registerCollection(const CollectionType& type);

/// Makes these classes known to Frame::get(name). Those of models are known by themselves, also
/// from libraries that are loaded later; so are those of bare values, and of links that the program
/// makes or gets. Of several for one datatype the first stays. Any thread. Returns true, to
/// initialise something with.
template <class... Collections>
bool registerCollections() {
  (registerCollection(collectionType<Collections>()), ...);
  return true;
}

/// The class for the collection in this table; GenericCollection where the program has none, but a
/// model of the file knows the datatype. Throws Error(type) if nobody knows it.
[[nodiscard]] CollectionType findCollectionType(const std::shared_ptr<const File>& file,
                                                const Source& source, std::uint32_t table);

/// What the program's class for the datatype describes that files of any version call so; null if
/// it has none. Any thread.
[[nodiscard]] const Datatype* programDatatype(std::string_view name);

/// The datatypes of the models that a file carries, which live as long as the program; those that
/// the program has classes of are theirs. Any thread.
[[nodiscard]] const ModelDatatypes& datatypesIn(const std::shared_ptr<const File>& file);

/// Which classes of the program stand for datatypes of the same name.
enum class ProgramClasses {
  ofAnyVersion,
  ofTheModels ///< those generated from the very models
};
/// The same of models from elsewhere, as `kaon model --json` prints them. Any thread.
[[nodiscard]] const ModelDatatypes&
modelDatatypes(std::vector<ModelDatatypes::Document> models,
               ProgramClasses classes = ProgramClasses::ofAnyVersion);

} // namespace kaon
