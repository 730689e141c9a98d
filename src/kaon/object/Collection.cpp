#include <kaon/object/Collection.h>

#include <kaon/base/Wording.h>
#include <kaon/object/Print.h>

#include <iostream>

namespace kaon {

void CollectionBase::setSubsetCollection(bool isSubset) {
  if (isSubset == isSubsetCollection())
    return;
  const detail::CollectionType type = collectionType();
  if (!type.subset)
    fail(ErrorKind::usage, "there are no subsets of ", type.name(), ": it has no objects");
  if (!empty())
    fail(ErrorKind::usage, "a collection of ", type.objects->name, " that holds ",
         counted(size(), "object"), " cannot become ",
         isSubset ? "a subset" : "one of its own objects",
         ": clear() it first, or see toCollection()");
  m_owned = detail::CollectionData::make(isSubset ? *type.subset : *type.objects);
  m_data = m_owned.get();
  m_objects = isSubset ? nullptr : m_data;
}

void CollectionBase::clear() { detail::ObjectMover(data()).clear(); }

void CollectionBase::print() const { print(std::cout); }

void CollectionBase::print(std::ostream& out, bool flush) const {
  out << *this;
  if (flush)
    out.flush();
}

std::ostream& operator<<(std::ostream& out, const CollectionBase& collection) {
  printCollection(out, collection.data());
  return out;
}

void CollectionBase::failWithoutObjects(std::string_view what) const {
  (void)data(); // throws if the collection was moved from
  fail(ErrorKind::usage, what, " needs a collection with objects of its own, which a subset of ",
       getValueTypeName(), " is not: toCollection() makes one");
}

std::unique_ptr<CollectionBase> CollectionBase::makeEmptyLike() const {
  const detail::CollectionType type = collectionType();
  std::unique_ptr<CollectionBase> collection = type.makeEmpty(*type.objects);
  collection->setSubsetCollection(isSubsetCollection());
  return collection;
}

} // namespace kaon
