#include <kaon/writing/MemoryBudget.h>

#include <algorithm>
#include <utility>

namespace kaon::detail {

MemoryBudget::Gathering::Gathering(MemoryBudget& budget, std::function<void()> giveBack)
    : m_budget(budget), m_giveBack(std::move(giveBack)) {
  const std::lock_guard lock(m_budget.m_mutex);
  m_budget.m_gatherings.push_back(this);
}

MemoryBudget::Gathering::~Gathering() {
  {
    const std::lock_guard lock(m_budget.m_mutex);
    std::erase(m_budget.m_gatherings, this);
  }
  const std::lock_guard lock(m_mutex);
  setBytes(0);
}

/// Lets the largest gatherings give back their memory until there is room. Skips gatherings in use:
/// their threads come here themselves when they are done. Skips gatherings so small that they would
/// hardly make room.
void MemoryBudget::makeRoom() {
  while (isExceeded()) {
    std::unique_lock<std::mutex> held;
    Gathering* largest = nullptr;
    {
      const std::lock_guard lock(m_mutex);
      std::size_t most = m_bytes / 16 / std::max<std::size_t>(m_gatherings.size(), 1);
      for (Gathering* const gathering : m_gatherings) {
        if (gathering->m_bytes <= most)
          continue;
        std::unique_lock<std::mutex> attempt(gathering->m_mutex, std::try_to_lock);
        if (!attempt)
          continue;
        held = std::move(attempt);
        largest = gathering;
        most = gathering->m_bytes;
      }
    }
    if (!largest)
      return;
    largest->m_giveBack();
  }
}

} // namespace kaon::detail
