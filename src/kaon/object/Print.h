#pragma once

#include <kaon/detail/object/CollectionData.h>

#include <iosfwd>

namespace kaon {

/// Prints a table of a collection, with a line per object and a column per member. After the
/// members come the sizes of vector members and relations to many. Relations to one are printed as
/// collection number and index.
void printCollection(std::ostream& out, const detail::CollectionData& data);

/// Prints one object, with a line per member; "[not available]" for no object.
void printObject(std::ostream& out, detail::ObjectLocator object);

} // namespace kaon
