#pragma once

#include <kaon/object/CollectionType.h>

#include <cstdint>

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

/// The class for the collection in this table. Throws Error(type) if the program has none.
[[nodiscard]] CollectionType findCollectionType(const File& file, const Source& source,
                                                std::uint32_t table);

} // namespace kaon
