#include <kaon/detail/event/CollectionViews.h>

#include <algorithm>

namespace kaon::detail {

const CollectionBase& CollectionViews::view(CollectionData& data, std::string_view name,
                                            const CollectionType& type) {
  auto& views = m_views[data.table()];
  auto place =
      std::ranges::find(views, type.objects, [](const auto& each) { return each->objects; });
  if (place == views.end()) {
    views.push_back(
        std::make_unique<View>(View{std::string(name), type.objects, type.makeView(data)}));
    place = views.end() - 1;
  }
  m_asked[placeOf(name)].store(place->get(), std::memory_order_release);
  return *(*place)->collection;
}

} // namespace kaon::detail
