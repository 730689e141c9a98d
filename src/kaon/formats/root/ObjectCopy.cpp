#include <kaon/formats/root/ObjectCopy.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/root/objects/HistogramSum.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace kaon::root {
namespace {

/// Whether objects of a class refer to other records of their file, so that a copy would be lost.
bool refersToRecords(const RootObjects& store, std::string_view className, int depth = 0) {
  constexpr int mostBases = 16;
  if (className == "TTree" || className.find("RNTuple") != std::string_view::npos)
    return true;
  const ClassInfo* const info = depth < mostBases ? store.classes().newest(className) : nullptr;
  return info && std::ranges::any_of(info->elements, [&](const ElementInfo& element) {
           return element.isBase && refersToRecords(store, element.name, depth + 1);
         });
}

/// Whether ROOT would join objects of a class in a way that kaon does not know.
bool needsJoining(std::string_view className) noexcept {
  return (className.starts_with("TH") && className != "THashList") ||
         className.starts_with("TProfile") || className.starts_with("TGraph") ||
         className.starts_with("TParameter<");
}

StoredPayload payloadOf(const RootObjects& store, const ListedObject& object) {
  StoredPayload stored{&object.key, {}};
  Buffer storage;
  stored.payload.append(store.container().payload(object.key, storage));
  return stored;
}

void warnOf(const std::string& newFile, const std::string& path, const std::string& message) {
  warn(WarningKind::unreadMember, newFile + ": object '" + path + "' " + message);
}

} // namespace

ObjectCopy::ObjectCopy(std::span<const ObjectStore* const> stores) {
  for (const ObjectStore* const store : stores)
    if (const auto* const objects = dynamic_cast<const RootObjects*>(store)) {
      m_stores.push_back(objects);
      for (const ListedObject* const object : objects->listed()) {
        if (!object->isNewest)
          continue;
        std::vector<Found>& found = m_found[object->path];
        if (found.empty())
          m_paths.push_back(object->path);
        found.push_back({objects, object});
      }
    }
}

std::optional<StoredPayload> ObjectCopy::joined(std::string_view path,
                                                const std::string& newFile) const {
  const std::vector<Found>& found = m_found.find(path)->second;
  const auto& [store, object] = found.front();
  const std::string& className = object->key.className;
  if (refersToRecords(*store, className)) {
    warnOf(newFile, object->path,
           "of the class '" + className + "' is left out: kaon cannot copy it");
    return std::nullopt;
  }
  if (found.size() > 1 && isAddable(className))
    return sumOf(found, newFile);
  StoredPayload first = payloadOf(*store, *object);
  for (const Found& other : found | std::views::drop(1)) {
    if (needsJoining(className)) {
      warnOf(newFile, object->path,
             "of the class '" + className + "' is left out: kaon cannot join several");
      return std::nullopt;
    }
    const StoredPayload stored = payloadOf(*other.store, *other.object);
    if (!std::ranges::equal(first.payload.bytes(), stored.payload.bytes())) {
      warnOf(newFile, object->path, "is that of the first file; others differ");
      break;
    }
  }
  return first;
}

std::optional<StoredPayload> ObjectCopy::sumOf(const std::vector<Found>& objects,
                                               const std::string& newFile) {
  const Found& first = objects.front();
  HistogramSum sum(first.store->readWhole(*first.object));
  for (const Found& other : objects | std::views::drop(1)) {
    std::string obstacle = "its class differs";
    if (other.object->key.className == first.object->key.className)
      obstacle = sum.add(other.store->readWhole(*other.object));
    if (!obstacle.empty()) {
      warnOf(newFile, first.object->path,
             "is left out: that of " + other.store->container().name() +
                 " cannot be added, because " + obstacle);
      return std::nullopt;
    }
  }
  StoredPayload stored{sum.sum().key, {}};
  stored.payload.append(sum.sum().payload.bytes());
  return stored;
}

void ObjectCopy::addClasses(StoredClasses& classes) const {
  for (const RootObjects* const store : m_stores)
    if (!store->listed().empty())
      classes.add(store->container());
}

} // namespace kaon::root
