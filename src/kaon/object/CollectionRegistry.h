#pragma once

#include <kaon/object/CollectionType.h>

#include <cstdint>

namespace kaon {

class File;
class Source;

/// For registerCollections().
void registerCollection(const CollectionType& type);

/// Lets Frame::get(name) know these classes: those of models do so by themselves, also from
/// libraries that are loaded later, as do bare values, and links that the program makes or gets. Of
/// several for one datatype the first stays. From any thread. True, to initialise something with.
template <class... Collections>
bool registerCollections() {
  (registerCollection(collectionType<Collections>()), ...);
  return true;
}

/// The class for the collection in this table. Throws Error(type) if the program has none.
[[nodiscard]] CollectionType findCollectionType(const File& file, const Source& source,
                                                std::uint32_t table);

} // namespace kaon
