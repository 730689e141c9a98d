#include <kaon/event/Handle.h>

namespace kaon {

ObjectID Handle::id() const noexcept {
  const ObjectPlace object = place();
  if (!object.data)
    return {ObjectID::invalid, CollectionData::untracked};
  if (object.data->isLoose())
    return {};
  return {static_cast<int>(object.index), object.data->id()};
}

Handle Handle::cloneHandle(bool withRelations) const {
  const ObjectPlace object = place();
  if (!object.data)
    return Handle(nullptr, 0);
  Handle copy(object.data->type());
  copy.m_data->clear();
  copy.m_data->addCopy(object, withRelations);
  return copy;
}

} // namespace kaon
