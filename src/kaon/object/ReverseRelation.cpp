#include <kaon/object/ReverseRelation.h>

#include <kaon/base/Suggestion.h>

#include <string>

namespace kaon {
namespace {

/// Calls `use(referrer, target)` for all targets of a relation.
template <class Use>
void forEachTarget(const detail::CollectionData& data, std::uint32_t relation, const Use& use) {
  const bool isMany = data.type().relations[relation].many;
  for (std::uint32_t row = data.rowOf(0); row < data.rowOf(data.size()); ++row) {
    if (!isMany) {
      if (const detail::ObjectLocator to =
              data.follow(relation, data.layout().ones[relation].first, row);
          to)
        use(row, to);
      continue;
    }
    const detail::ObjectLayout::List& list = data.layout().manyRelation(relation);
    const detail::Slice slice = data.slice(list, row);
    for (std::uint32_t i = slice.begin; i < slice.end; ++i)
      if (const detail::ObjectLocator to = data.follow(relation, list.first, i); to)
        use(row, to);
  }
}

} // namespace

detail::ReferrerIndex::ReferrerIndex(const detail::CollectionData& referrers,
                                     std::uint32_t relation) {
  const detail::CollectionData* last =
      nullptr; // most references lead to the same collection as the last
  Target* lastTarget = nullptr;
  const auto targetOf = [&](const detail::CollectionData* data) -> Target& {
    if (data != last) {
      lastTarget = &m_targets[data];
      last = data;
    }
    return *lastTarget;
  };
  forEachTarget(referrers, relation, [&](std::uint32_t, detail::ObjectLocator to) {
    std::vector<std::uint32_t>& counts = targetOf(to.data).offsets;
    if (counts.empty())
      counts.resize(to.data->size() + 2);
    ++counts[to.index() + 2]; // becomes the offset of object i at i + 1 when the lists are filled
  });
  for (auto& [data, target] : m_targets) {
    for (std::size_t i = 1; i < target.offsets.size(); ++i)
      target.offsets[i] += target.offsets[i - 1];
    target.referrers.resize(target.offsets.back());
  }
  forEachTarget(referrers, relation, [&](std::uint32_t row, detail::ObjectLocator to) {
    Target& target = targetOf(to.data);
    target.referrers[target.offsets[to.index() + 1]++] = row;
  });
}

std::span<const std::uint32_t>
detail::ReferrerIndex::of(detail::ObjectLocator object) const noexcept {
  const auto entry = m_targets.find(object.data);
  const std::size_t index = object.index();
  if (entry == m_targets.end() || index + 1 >= entry->second.offsets.size())
    return {};
  const std::vector<std::uint32_t>& offsets = entry->second.offsets;
  return std::span(entry->second.referrers)
      .subspan(offsets[index], offsets[index + 1] - offsets[index]);
}

std::uint32_t detail::relationNumber(const Datatype& type, std::string_view name) {
  std::vector<std::string> known;
  for (std::uint32_t i = 0; i < type.relations.size(); ++i) {
    if (type.relations[i].name == name)
      return i;
    known.emplace_back(type.relations[i].name);
  }
  fail(ErrorKind::name, type.name, " has no relation '", name, "'", suggestion(name, known));
}

} // namespace kaon
