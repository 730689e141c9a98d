#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

namespace kaon {

/// Is told how much of a long piece of work is done, from 0 to 1: by any thread, but by one at a
/// time. What it throws ends the work and goes on to who began it.
using Progress = std::function<void(double done)>;

/// Adds up what is done, for whoever wants to know. Any thread.
class ProgressCount {
public:
  /// `progress` may be empty; the caller keeps it.
  ProgressCount(const Progress& progress, std::uint64_t all) : m_progress(progress), m_all(all) {}

  void add(std::uint64_t done) {
    if (!m_progress)
      return;
    const std::lock_guard lock(m_mutex);
    m_done += done;
    m_progress(static_cast<double>(m_done) / static_cast<double>(m_all));
  }

private:
  const Progress& m_progress;
  std::uint64_t m_all;
  std::mutex m_mutex; // of what follows, and of calls
  std::uint64_t m_done = 0;
};

} // namespace kaon
