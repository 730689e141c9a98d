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

void CollectionBase::prepareForWrite() const {
  const detail::CollectionData& data = this->data();
  const auto check = [&](std::uint32_t relation, std::uint32_t first, std::size_t row) {
    const detail::ObjectLocator target = data.follow(relation, first, row);
    if (target && target.data->isLoose())
      fail(ErrorKind::usage, "an object of ", data.type().name, " is related to an object of ",
           target.data->type().name, " that is in no collection: push it into one");
  };
  if (!data.isBuilt()) // has only objects of files
    return;
  for (std::uint32_t relation = 0; relation < data.type().relations.size(); ++relation)
    for (std::size_t row = 0; row < data.size(); ++row) {
      if (!data.type().relations[relation].many) {
        check(relation, data.layout().ones[relation].first, row);
        continue;
      }
      const detail::ObjectLayout::List& list = data.layout().manyRelation(relation);
      const detail::Slice slice = data.slice(list, row);
      for (std::size_t i = slice.begin; i < slice.end; ++i)
        check(relation, list.first, i);
    }
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
