#include <kaon/dataset/PartOrder.h>

#include <kaon/base/Error.h>

namespace kaon {

void PartOrder::waitFor(std::size_t part, const std::string& name) {
  std::unique_lock lock(m_mutex);
  m_turn.wait(lock, [&] { return m_nextPart == part || m_isInterrupted; });
  if (m_isInterrupted)
    fail(ErrorKind::usage, name, ": was interrupted");
}

bool PartOrder::isTurnOf(std::size_t part) {
  const std::lock_guard lock(m_mutex);
  return m_nextPart == part;
}

void PartOrder::next() {
  const std::lock_guard lock(m_mutex);
  ++m_nextPart;
  m_turn.notify_all();
}

void PartOrder::interrupt() noexcept {
  const std::lock_guard lock(m_mutex);
  m_isInterrupted = true;
  m_turn.notify_all();
}

void PartOrder::reset() noexcept {
  const std::lock_guard lock(m_mutex);
  m_nextPart = 0;
  m_isInterrupted = false;
}

} // namespace kaon
