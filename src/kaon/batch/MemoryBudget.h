#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace kaon::detail {

/// What a writer may take of memory, whatever the number of its categories and fillers: five
/// eighths for entries that are gathered, a quarter for clusters that wait for others, an eighth
/// for what the sink keeps for its next clusters. Those that are being encoded take what is left.
/// Any thread.
class MemoryBudget {
public:
  explicit MemoryBudget(std::size_t bytes) : m_bytes(bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// Memory in which a filler gathers entries. Any thread may make room by writing what is in it.
  class Gathering {
  public:
    /// `giveBack` writes what was gathered and frees its memory. It is called by any thread,
    /// locked, and may throw.
    Gathering(MemoryBudget& budget, std::function<void()> giveBack);
    /// Waits for a thread that is making room.
    ~Gathering();
    Gathering(const Gathering&) = delete;
    Gathering& operator=(const Gathering&) = delete;

    /// For as long as entries are gathered, or written.
    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock(m_mutex); }
    /// How much it is now. Locked.
    void setBytes(std::size_t bytes) noexcept {
      if (bytes >= m_bytes && bytes - m_bytes < leastChange)
        return;                               // mostly: nothing that threads share is touched
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

  /// Where more is gathered than there is room for, the largest give back theirs. For a thread that
  /// has none of them locked. Throws what they throw.
  void relieve() {
    if (isExceeded()) [[unlikely]]
      makeRoom();
  }
  /// Whether more is gathered than there is room for.
  [[nodiscard]] bool isExceeded() const noexcept { return m_gathered > m_bytes / 8 * 5; }
  /// Whether that is near: memory that is not used now is better freed than kept.
  [[nodiscard]] bool isShort() const noexcept { return m_gathered > m_bytes / 2; }

  // Clusters that are being encoded, by what they are expected to take.
  void beginEncoding(std::size_t bytes) noexcept { m_encoding += bytes; }
  void endEncoding(std::size_t bytes) noexcept { m_encoding -= bytes; }
  /// Whether there is no room for further ones.
  [[nodiscard]] bool isFull() const noexcept {
    return m_gathered + m_waiting + m_encoding > m_bytes / 8 * 7;
  }

  // Clusters that are encoded and wait for others.
  /// Takes room for one. False if there is none.
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
  std::mutex m_mutex; // of what follows
  std::vector<Gathering*> m_gatherings;
};

} // namespace kaon::detail
