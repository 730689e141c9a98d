#pragma once

#include <kaon/object/Collection.h>

#include <ostream>

namespace kaon {

/// A table of the collection: a line an object, a column a member, then the sizes of vector members
/// and of relations to many, and the objects of relations to one as collection number and index.
std::ostream& operator<<(std::ostream& out, const CollectionBase& collection);

/// The same of one object, a line a member.
std::ostream& operator<<(std::ostream& out, const Handle& object);

} // namespace kaon
