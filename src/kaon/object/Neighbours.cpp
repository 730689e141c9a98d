#include <kaon/object/Neighbours.h>

namespace kaon {

std::optional<std::uint32_t> Neighbours::find(const std::shared_ptr<Anchor>& anchor) const {
  const auto position = m_numbers.find(anchor.get());
  return position == m_numbers.end() ? std::nullopt : std::optional(position->second);
}

bool Neighbours::refer(const std::shared_ptr<Anchor>& anchor) {
  const auto next = static_cast<std::uint32_t>(m_anchors.size());
  const auto [position, isNew] = m_numbers.try_emplace(anchor.get(), next);
  m_last = anchor.get();
  m_lastNumber = position->second;
  if (isNew)
    m_anchors.push_back(anchor);
  return isNew;
}

void Neighbours::replace(const std::shared_ptr<Anchor>& from, const std::shared_ptr<Anchor>& to) {
  if (const auto number = m_numbers.extract(from.get())) {
    m_anchors[number.mapped()] = to;
    m_numbers.emplace(to.get(), number.mapped());
    m_last = nullptr;
  }
}

void Neighbours::clear() noexcept {
  m_anchors.clear();
  m_numbers.clear();
  m_last = nullptr;
}

} // namespace kaon
