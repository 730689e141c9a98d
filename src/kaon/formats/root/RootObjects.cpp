#include <kaon/formats/root/RootObjects.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/ByteOrder.h>
#include <kaon/formats/root/objects/HistogramClasses.h>
#include <kaon/formats/root/objects/MemberReader.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace kaon::root {
namespace {

/// Whether objects of a class refer to other records of their file.
bool refersToRecords(const Classes& classes, std::string_view className, int depth = 0) {
  constexpr int mostBases = 16;
  if (className == "TTree" || className.find("RNTuple") != std::string_view::npos)
    return true;
  const ClassInfo* const info = depth < mostBases ? classes.newest(className) : nullptr;
  return info && std::ranges::any_of(info->elements, [&](const ElementInfo& element) {
           return element.isBase && refersToRecords(classes, element.name, depth + 1);
         });
}

/// Writes the numbers of a member to the place where they are stored, if they changed.
void putChanged(const ObjectValue& stored, const ObjectValue& changed, std::byte* at) {
  if (const auto* const number = std::get_if<double>(&changed.is)) {
    const auto* const before = std::get_if<double>(&stored.is);
    if (before && *before != *number)
      storeBigEndian(*number, at);
  } else if (const auto* const numbers = std::get_if<ObjectNumbers>(&changed.is)) {
    const auto* const before = std::get_if<ObjectNumbers>(&stored.is);
    if (before && before->type == numbers->type && before->size() == numbers->size() &&
        before->bytes != numbers->bytes) {
      std::byte* const to = at + sizeof(std::uint32_t); // behind the length
      if (sizeOf(numbers->type) == 1)
        std::ranges::copy(numbers->bytes, to);
      else
        turnBytes(sizeOf(numbers->type), numbers->bytes.data(), numbers->size(), to);
    }
  }
}

} // namespace

std::vector<StoredObject> RootObjects::objects() const {
  std::vector<StoredObject> all;
  for (const ListedObject* const object : m_listed)
    all.push_back({object->name(), object->key.className, object->key.title,
                   object->key.recordBytes, object->isNewest});
  return all;
}

bool RootObjects::isWhole(const StoredObject& object) const {
  return !refersToRecords(classes(), object.type);
}

ObjectTree RootObjects::read(std::string_view name) const { return readWhole(find(name)).tree; }

StoredPayload RootObjects::stored(std::string_view name, const ObjectTree* changed) const {
  const ListedObject& object = find(name);
  StoredPayload stored{&object.key, {}};
  if (!changed) {
    Buffer storage;
    stored.payload.append(m_container.payload(object.key, storage));
    return stored;
  }
  ReadObject read = readWhole(object);
  for (std::size_t part = 0; part < std::min(read.tree.parts.size(), changed->parts.size());
       ++part) {
    const auto& members = read.tree.parts[part].members;
    const auto& others = changed->parts[part].members;
    for (std::size_t i = 0; i < std::min(members.size(), others.size()); ++i)
      if (const std::size_t position = read.positions[part][i]; position > 0)
        putChanged(members[i].value, others[i].value, read.payload.data() + position);
  }
  stored.payload = std::move(read.payload);
  return stored;
}

const ListedObject& RootObjects::find(std::string_view name) const {
  const auto found = std::ranges::find_if(m_listed, [&](const ListedObject* object) {
    return object->name() == name || object->path + ";" + std::to_string(object->key.cycle) == name;
  });
  if (found != m_listed.end())
    return **found;
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
