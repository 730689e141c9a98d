#include <kaon/files/Objects.h>

#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>

#include <cstddef>
#include <set>

namespace kaon::detail {

void copyObjects(std::span<const ObjectStore* const> stores, Sink& sink) {
  if (sink.holdsObjects())
    return sink.copyObjects(stores);
  constexpr std::size_t mostShown = 20;
  std::set<std::string> names;
  std::string list;
  for (const ObjectStore* const store : stores)
    for (const StoredObject& object : store->objects())
      if (names.insert(object.name).second && names.size() <= mostShown)
        list += "\n  " + object.name + ": " + object.type;
  if (names.empty())
    return;
  if (names.size() > mostShown)
    list += "\n  and " + std::to_string(names.size() - mostShown) + " more";
  warn(WarningKind::unreadMember,
       sink.name() + ": files of this format hold no histograms and other objects; " +
           counted(names.size(), "object") + " of the source " +
           (names.size() == 1 ? "is" : "are") + " left out:" + list);
}

} // namespace kaon::detail
