#include <kaon/codec/SimilarColumns.h>

#include <algorithm>
#include <utility>

namespace kaon::codec {

const SimilarColumns::Type* SimilarColumns::find(const Element& element) const {
  const auto place = std::ranges::find(m_types, element, &Type::element);
  return place == m_types.end() ? nullptr : &*place;
}

bool SimilarColumns::areSimilar(const Type& type) {
  return type.count >= columns && std::ranges::all_of(type.trials, [&](const Trial& each) {
           return isNear(each.ratio, type.trials[0].ratio);
         });
}

std::vector<Scheme> SimilarColumns::schemes(const Element& element) {
  const auto type = std::ranges::find(m_types, element, &Type::element);
  if (type == m_types.end() || !areSimilar(*type) || type->taken++ == mostColumns)
    return {};
  std::vector<Scheme> all;
  for (const Trial& each : type->trials)
    for (const Scheme& scheme : each.schemes)
      if (std::ranges::find(all, scheme) == all.end())
        all.push_back(scheme);
  return all;
}

bool SimilarColumns::areLike(const Element& element, double ratio) const {
  const Type* const type = find(element);
  return type && areSimilar(*type) && isNear(ratio, type->trials[0].ratio);
}

void SimilarColumns::add(const Element& element, std::vector<Scheme> best, double ratio) {
  auto type = std::ranges::find(m_types, element, &Type::element);
  if (type == m_types.end()) {
    if (m_types.size() == mostTypes)
      m_types.erase(m_types.begin());
    type = m_types.emplace(m_types.end());
    type->element = element;
  }
  type->trials[type->count++ % columns] = {std::move(best), ratio};
  type->taken = 0;
}

} // namespace kaon::codec
