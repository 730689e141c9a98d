#include <kaon/object/Handle.h>

#include <kaon/base/Error.h>
#include <kaon/detail/object/ObjectCopier.h>
#include <kaon/object/Print.h>

#include <ostream>

namespace kaon {

std::ostream& operator<<(std::ostream& out, const ObjectID& id) {
  return out << id.collectionID << '|' << id.index;
}

ObjectID detail::idOf(ObjectLocator object) noexcept {
  if (!object)
    return {ObjectID::invalid, CollectionData::untracked};
  if (object.data->isLoose())
    return {};
  return {static_cast<int>(object.index()), object.data->id()};
}

std::ostream& operator<<(std::ostream& out, const Handle& object) {
  printObject(out, object.place());
  return out;
}

Handle Handle::cloneHandle(bool withRelations) const {
  const detail::ObjectLocator object = place();
  if (!object)
    return Handle(detail::noObjects(), 0);
  Handle copy(object.data->type());
  copy.m_data->clear();
  detail::copyObject(object, *copy.m_data, withRelations);
  return copy;
}

} // namespace kaon
