#pragma once

#include <kaon/object/CollectionData.h>

#include <iosfwd>

namespace kaon {

/// Prints a table of a collection: a line an object, a column a member, then the sizes of vector
/// members and of relations to many, and the objects of relations to one as collection number and
/// index.
void printCollection(std::ostream& out, const CollectionData& data);

/// Prints one object, a line a member.
void printObject(std::ostream& out, ObjectPlace object);

} // namespace kaon
