#include <kaon/files/ObjectCopies.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/HistogramSum.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

namespace kaon::detail {
namespace {

/// Whether ROOT would join objects of a class in a way that kaon does not know.
bool needsJoining(std::string_view className) noexcept {
  return (className.starts_with("TH") && className != "THashList") ||
         className.starts_with("TProfile") || className.starts_with("TGraph") ||
         className.starts_with("TParameter<");
}

/// Reads an object; returns nothing if its class is not described.
std::optional<ObjectTree> readIfDescribed(const ObjectStore& store, const StoredObject& object) {
  try {
    return store.read(object.name);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::version)
      throw;
    return std::nullopt;
  }
}

void warnOf(const Sink& sink, const std::string& object, const std::string& message) {
  warn(WarningKind::unreadMember, sink.name() + ": object '" + object + "' " + message);
}

} // namespace

JoinedObjects::JoinedObjects(std::span<const ObjectStore* const> stores) {
  std::map<std::string, std::size_t> places;
  for (const ObjectStore* const store : stores)
    for (StoredObject& object : store->objects()) {
      if (!object.isNewest)
        continue;
      const auto [known, isNew] = places.emplace(object.name, m_objects.size());
      if (isNew)
        m_objects.emplace_back();
      m_objects[known->second].push_back({store, std::move(object)});
    }
}

void JoinedObjects::check() const {
  for (const std::vector<Found>& found : m_objects) {
    const auto& [store, object] = found.front();
    if (found.size() < 2 || !isAddable(object.type))
      continue;
    const auto failOf = [&](const Found& other, const std::string& reason) {
      fail(ErrorKind::usage, other.store->name(), ": the histogram '", object.name,
           "' cannot be added to that of ", store->name(), ": ", reason,
           "; give histograms with other axes other names");
    };
    const std::optional<ObjectTree> first = readIfDescribed(*store, object);
    for (const Found& other : found | std::views::drop(1)) {
      if (other.object.type != object.type)
        failOf(other, "its class is " + other.object.type + ", not " + object.type);
      const std::optional<ObjectTree> tree = readIfDescribed(*other.store, other.object);
      if (first && tree)
        if (const std::string difference = unlikeAxes(*first, *tree); !difference.empty())
          failOf(other, difference);
    }
  }
}

void JoinedObjects::copyTo(Sink& sink) const {
  if (!sink.holdsObjects())
    return warnOfAll(sink);
  for (const std::vector<Found>& found : m_objects)
    if (const std::string obstacle = copy(found, sink); !obstacle.empty())
      warnOf(sink, found.front().object.name,
             "of the class '" + found.front().object.type + "' is left out: " + obstacle);
}

/// Copies the objects of a name as one. Returns why they cannot be copied, or "".
std::string JoinedObjects::copy(const std::vector<Found>& found, Sink& sink) {
  const auto& [store, object] = found.front();
  if (!store->isWhole(object))
    return "its data lie in other parts of the file";
  if (found.size() > 1 && isAddable(object.type)) {
    HistogramSum sum(store->read(object.name));
    const Found* basis = &found.front();
    for (const Found& other : found | std::views::drop(1)) {
      const HistogramSum::Outcome outcome = sum.add(other.store->read(other.object.name));
      if (outcome == HistogramSum::Outcome::failed)
        return "that of " + other.store->name() + " cannot be added, because " + sum.obstacle();
      if (outcome == HistogramSum::Outcome::addedToOther)
        basis = &other;
    }
    return sink.copyObject(*basis->store, basis->object, &sum.sum());
  }
  if (found.size() > 1 && needsJoining(object.type))
    return "kaon cannot join several";
  if (found.size() > 1) {
    const std::optional<ObjectTree> first = readIfDescribed(*store, object);
    if (!first || !std::ranges::all_of(found | std::views::drop(1), [&](const Found& other) {
          const auto tree = readIfDescribed(*other.store, other.object);
          return tree && areEqual(*first, *tree);
        }))
      warnOf(sink, object.name, "is that of the first file; others differ");
  }
  return sink.copyObject(*store, object, nullptr);
}

void JoinedObjects::warnOfAll(const Sink& sink) const {
  constexpr std::size_t mostShown = 20;
  if (m_objects.empty())
    return;
  std::string list;
  for (const std::vector<Found>& found : m_objects | std::views::take(mostShown))
    list += "\n  " + found.front().object.name + ": " + found.front().object.type;
  if (m_objects.size() > mostShown)
    list += "\n  and " + std::to_string(m_objects.size() - mostShown) + " more";
  warn(WarningKind::unreadMember,
       sink.name() + ": files of this format hold no histograms and other objects; " +
           counted(m_objects.size(), "object") + " of the source " +
           (m_objects.size() == 1 ? "is" : "are") + " left out:" + list);
}

} // namespace kaon::detail
