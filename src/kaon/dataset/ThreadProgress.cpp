#include <kaon/dataset/ThreadProgress.h>

#include <utility>

namespace kaon {
namespace {

thread_local ThreadProgress* progressOfThread = nullptr;

} // namespace

ThreadProgress::ThreadProgress(const Progress& progress, const detail::DatasetParts& parts,
                               std::mutex& telling, const std::atomic<bool>& hasEnded)
    : m_progress(progress), m_parts(parts), m_telling(telling), m_hasEnded(hasEnded),
      m_outer(std::exchange(progressOfThread, this)) {}

ThreadProgress::~ThreadProgress() { progressOfThread = m_outer; }

void ThreadProgress::tell() {
  if (!m_progress)
    return;
  const std::lock_guard lock(m_telling);
  m_progress(m_parts.share());
  m_told = Clock::now();
}

void ThreadProgress::update() {
  constexpr std::chrono::milliseconds interval{50};
  ThreadProgress* const threadProgress = progressOfThread;
  if (!threadProgress)
    return;
  if (threadProgress->m_hasEnded)
    throw PassEnded();
  if (threadProgress->m_progress && Clock::now() - threadProgress->m_told >= interval)
    threadProgress->tell();
}

} // namespace kaon
