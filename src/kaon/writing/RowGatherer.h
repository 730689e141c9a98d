#pragma once

#include <kaon/writing/BatchBuilder.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

namespace kaon::detail {

/// Code that gathers entries as rows for a writer, such as frames.
class RowGatherer {
public:
  virtual ~RowGatherer() = default;
  RowGatherer() = default;
  RowGatherer(const RowGatherer&) = delete;
  RowGatherer& operator=(const RowGatherer&) = delete;

  /// Returns the entries that were gathered. They have the tables of BatchWriter::tables(), laid
  /// out by the options of the writer.
  [[nodiscard]] virtual BatchBuilder& builder() noexcept = 0;

  /// Sets the size of entries that the gatherer does not copy, and the function that writes the
  /// entries before them.
  void setHuge(std::size_t bytes, std::function<void()> writeEarlier) {
    m_hugeBytes = bytes;
    m_writeEarlier = std::move(writeEarlier);
  }

protected:
  /// Begins an entry of this many bytes. If it is huge, its rows stay where they are until the
  /// writer has written them, and form a batch of their own.
  void beginEntry(std::size_t bytes) {
    if (const bool isHuge = bytes >= m_hugeBytes; isHuge || m_isHuge) [[unlikely]] {
      m_isHuge = isHuge;
      builder().setViewing(isHuge);
      if (isHuge && builder().entries() > 0)
        m_writeEarlier();
    }
  }

private:
  std::size_t m_hugeBytes = std::numeric_limits<std::size_t>::max();
  bool m_isHuge = false; // the last entry
  std::function<void()> m_writeEarlier;
};

} // namespace kaon::detail
