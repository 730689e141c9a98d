#include <kaon/formats/root/RootObjects.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/root/objects/HistogramClasses.h>
#include <kaon/formats/root/objects/MemberReader.h>

#include <algorithm>
#include <string>

namespace kaon::root {

std::vector<StoredObject> RootObjects::objects() const {
  std::vector<StoredObject> all;
  for (const ListedObject* const object : m_listed)
    all.push_back(
        {object->name(), object->key.className, object->key.title, object->key.recordBytes});
  return all;
}

ObjectTree RootObjects::read(std::string_view name) const {
  const auto found = std::ranges::find_if(m_listed, [&](const ListedObject* object) {
    return object->name() == name || object->path + ";" + std::to_string(object->key.cycle) == name;
  });
  if (found != m_listed.end())
    return readWhole(**found).tree;
  std::vector<std::string> names;
  for (const ListedObject* const object : m_listed)
    names.push_back(object->path);
  fail(ErrorKind::name, m_container.name(), ": has no object '", name, "'",
       suggestion(name, names));
}

const Classes& RootObjects::classes() const {
  const std::lock_guard lock(m_mutex);
  if (!m_classes)
    m_classes.emplace(m_container);
  return *m_classes;
}

ReadObject RootObjects::readWhole(const ListedObject& object) const {
  ReadObject read;
  read.key = &object.key;
  Buffer storage;
  read.payload.append(m_container.payload(object.key, storage));
  MemberReader reader({&classes(), &histogramClasses()},
                      {read.payload.bytes(), m_container.name() + ": object '" + object.path + "'"},
                      object.key.keyBytes);
  try {
    read.tree = reader.read(object.key.className);
  } catch (const Error& error) { // classes can write objects in other ways than they are described
    if (error.kind() != ErrorKind::corrupt)
      throw;
    fail(ErrorKind::version, m_container.name(), ": object '", object.path,
         "' does not match the description of its class '", object.key.className,
         "'; the class may have code of its own for writing");
  }
  read.positions = reader.positions();
  return read;
}

} // namespace kaon::root
