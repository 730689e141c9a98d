#pragma once

#include <kaon/base/Tasks.h>

#include <cstdint>
#include <mutex>

namespace kaon {

/// Adds up finished work and reports it. Any thread.
class ProgressCount {
public:
  /// `progress` may be empty; it must outlive this object.
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
  std::mutex m_mutex; // guards m_done, and calls
  std::uint64_t m_done = 0;
};

} // namespace kaon
