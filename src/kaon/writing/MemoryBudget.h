#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace kaon::detail {

/// The memory limit of a writer, for any number of categories and fillers. Collected entries have
/// five eighths, clusters that wait for others a quarter. The sink keeps an eighth for its next
/// clusters. Clusters that are being encoded take the rest. Thread-safe.
class MemoryBudget {
public:
  explicit MemoryBudget(std::size_t bytes) : m_bytes(bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// The memory in which a filler collects entries. Any thread may make room by writing them.
  class Gathering {
  public:
    /// `giveBack` writes the collected entries and frees their memory. Any thread may call it,
    /// under the lock. It may throw.
    Gathering(MemoryBudget& budget, std::function<void()> giveBack);
    /// Waits for a thread that is making room.
    ~Gathering();
    Gathering(const Gathering&) = delete;
    Gathering& operator=(const Gathering&) = delete;

    /// Locks the memory, while entries are collected or written.
    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock(m_mutex); }
    /// Sets the present size. Call it under the lock.
    void setBytes(std::size_t bytes) noexcept {
      if (bytes >= m_bytes && bytes - m_bytes < leastChange)
        return;                               // the usual case touches nothing that threads share
      m_budget.m_gathered += bytes - m_bytes; // modulo 2^64
      m_bytes = bytes;
    }

  private:
    friend class MemoryBudget;
    static constexpr std::size_t leastChange = 4096;

    MemoryBudget& m_budget;
    std::function<void()> m_giveBack;
    std::mutex m_mutex;
    std::atomic<std::size_t> m_bytes = 0;
  };

  /// Makes room if the collected entries exceed their share: the largest gatherings give back their
  /// memory. The calling thread must not hold the lock of any gathering. Throws the errors of
  /// giving back.
  void relieve() {
    if (isExceeded()) [[unlikely]]
      makeRoom();
  }
  /// Returns whether the collected entries exceed their share.
  [[nodiscard]] bool isExceeded() const noexcept { return m_gathered > m_bytes / 8 * 5; }
  /// Returns whether the collected entries are close to their share. Unused memory should then be
  /// freed.
  [[nodiscard]] bool isShort() const noexcept { return m_gathered > m_bytes / 2; }

  // Clusters that are being encoded, by their expected size.
  void beginEncoding(std::size_t bytes) noexcept { m_encoding += bytes; }
  void endEncoding(std::size_t bytes) noexcept { m_encoding -= bytes; }
  /// Returns whether there is no room for further clusters.
  [[nodiscard]] bool isFull() const noexcept {
    return m_gathered + m_waiting + m_encoding > m_bytes / 8 * 7;
  }

  // Clusters that are encoded and wait for others.
  /// Takes room for one cluster. Returns false if there is no room.
  [[nodiscard]] bool beginWaiting(std::size_t bytes) noexcept {
    if ((m_waiting += bytes) <= m_bytes / 4)
      return true;
    m_waiting -= bytes;
    return false;
  }
  void endWaiting(std::size_t bytes) noexcept { m_waiting -= bytes; }

private:
  void makeRoom();

  std::size_t m_bytes;
  std::atomic<std::size_t> m_gathered = 0;
  std::atomic<std::size_t> m_waiting = 0;
  std::atomic<std::size_t> m_encoding = 0;
  std::mutex m_mutex; // for the member below
  std::vector<Gathering*> m_gatherings;
};

} // namespace kaon::detail
