#include <kaon/detail/dataset/ChunkLength.h>

#include <kaon/dataset/ThreadProgress.h>

namespace kaon::detail {

void ChunkLength::next() {
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
  ThreadProgress::update();
}

} // namespace kaon::detail
