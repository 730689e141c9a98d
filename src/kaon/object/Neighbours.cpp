#include <kaon/detail/object/Neighbours.h>

#include <algorithm>

namespace kaon::detail {

std::optional<std::uint32_t> Neighbours::find(const std::shared_ptr<Anchor>& anchor) const {
  if (m_numbers.empty()) {
    const auto place = std::ranges::find(m_anchors, anchor);
    return place == m_anchors.end()
               ? std::nullopt
               : std::optional(static_cast<std::uint32_t>(place - m_anchors.begin()));
  }
  const auto position = m_numbers.find(anchor.get());
  return position == m_numbers.end() ? std::nullopt : std::optional(position->second);
}

bool Neighbours::refer(const std::shared_ptr<Anchor>& anchor) {
  const std::optional<std::uint32_t> known = find(anchor);
  if (!known)
    add(anchor);
  m_last = anchor.get();
  m_lastNumber = known.value_or(static_cast<std::uint32_t>(m_anchors.size() - 1));
  return !known;
}

void Neighbours::add(const std::shared_ptr<Anchor>& anchor) {
  m_anchors.push_back(anchor);
  const std::size_t first = m_numbers.size();
  if (m_anchors.size() > mostUnmapped)
    for (std::size_t i = first; i < m_anchors.size(); ++i)
      m_numbers.emplace(m_anchors[i].get(), static_cast<std::uint32_t>(i));
}

void Neighbours::replace(const std::shared_ptr<Anchor>& from, const std::shared_ptr<Anchor>& to) {
  if (const std::optional<std::uint32_t> number = find(from)) {
    m_anchors[*number] = to;
    if (m_numbers.erase(from.get()) > 0)
      m_numbers.emplace(to.get(), *number);
    m_last = nullptr;
  }
}

void Neighbours::clear() noexcept {
  m_anchors.clear();
  m_numbers.clear();
  m_last = nullptr;
}

} // namespace kaon::detail
