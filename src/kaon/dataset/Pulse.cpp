#include <kaon/dataset/Pulse.h>

#include <utility>

namespace kaon {
namespace {

thread_local Pulse* pulseOfThread = nullptr;

} // namespace

Pulse::Pulse(const Progress& progress, const detail::DatasetParts& parts, std::mutex& telling,
             const std::atomic<bool>& hasEnded)
    : m_progress(progress), m_parts(parts), m_telling(telling), m_hasEnded(hasEnded),
      m_outer(std::exchange(pulseOfThread, this)) {}

Pulse::~Pulse() { pulseOfThread = m_outer; }

void Pulse::tell() {
  if (!m_progress)
    return;
  const std::lock_guard lock(m_telling);
  m_progress(m_parts.share());
  m_told = Clock::now();
}

void Pulse::beat() {
  constexpr std::chrono::milliseconds interval{50};
  Pulse* const pulse = pulseOfThread;
  if (!pulse)
    return;
  if (pulse->m_hasEnded)
    throw PassEnded();
  if (pulse->m_progress && Clock::now() - pulse->m_told >= interval)
    pulse->tell();
}

} // namespace kaon
