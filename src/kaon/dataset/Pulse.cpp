#include <kaon/dataset/Pulse.h>

#include <utility>

namespace kaon {
namespace {

thread_local Pulse* pulseOfThread = nullptr;

} // namespace

Pulse::Pulse(const Progress& progress, const DatasetParts& parts, std::mutex& telling,
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

void detail::PieceLength::next() {
  constexpr std::chrono::milliseconds least{1};
  constexpr std::chrono::milliseconds most{16};
  constexpr std::size_t factor = 16;
  const Clock::time_point now = Clock::now();
  const Clock::duration taken = now - m_begin;
  m_begin = now;
  if (taken < least) {
    m_entries *= factor;
    return;
  }
  if (taken > most)
    m_entries = std::max<std::size_t>(1, m_entries / factor);
  Pulse::beat();
}

} // namespace kaon
