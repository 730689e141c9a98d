#pragma once

#include <kaon/detail/object/CollectionType.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace kaon {

class File;
class ModelDatatypes;
class Source;

/// Returns the class for the collection in this table. Returns GenericCollection if the program has
/// no class, but a model of the file has the datatype. Throws Error(type) if neither has it.
[[nodiscard]] detail::CollectionType findCollectionType(const std::shared_ptr<const File>& file,
                                                        const Source& source, TableNumber table);

/// Returns the datatype of the program's class whose name in files, of any version, is `name`; null
/// if there is no class. Any thread.
[[nodiscard]] const Datatype* programDatatype(std::string_view name);

/// Returns the datatypes of the models in a file; they live as long as the program. If the program
/// has a class for a datatype, this is the class's datatype. Any thread.
[[nodiscard]] const ModelDatatypes& datatypesIn(const std::shared_ptr<const File>& file);

} // namespace kaon
