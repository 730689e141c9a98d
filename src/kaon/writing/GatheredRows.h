#pragma once

#include <kaon/writing/MemoryBudget.h>
#include <kaon/writing/RowGatherer.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace kaon {

/// The rows that a gatherer adds for a filler. Finished fillers leave them for reuse: they keep
/// their memory and know the tables. If memory is short, any thread may write them.
class GatheredRows {
public:
  /// Writes the entries of a builder and clears it.
  using Write = std::function<void(detail::BatchBuilder&)>;

  /// Entries of `hugeBytes` are written at once, without a copy.
  GatheredRows(detail::MemoryBudget& budget, std::unique_ptr<detail::RowGatherer> gatherer,
               std::size_t hugeBytes)
      : m_budget(budget), m_gatherer(std::move(gatherer)),
        m_gathering(budget, [this] { giveBack(); }) {
    m_gatherer->setHuge(hugeBytes, [this] { writeEntries(); });
  }

  [[nodiscard]] detail::RowGatherer& gatherer() noexcept { return *m_gatherer; }

  /// Sets the function that writes the rows of the filler they belong to; null for no filler.
  void setWrite(Write write) {
    const auto lock = m_gathering.lock();
    m_write = std::move(write);
  }
  /// Calls `add`, which adds entries to the gatherer. Writes them if `isFull(builder, bytes)`.
  template <class Add, class IsFull>
  void add(Add add, IsFull isFull) {
    const auto lock = m_gathering.lock();
    add();
    detail::BatchBuilder& builder = m_gatherer->builder();
    const std::size_t bytes = builder.hasViews() ? 0 : builder.bytes();
    if (builder.hasViews() || isFull(builder, bytes))
      m_write(builder);
    if (bytes > m_mostBytes) {
      m_mostBytes = bytes;
      m_gathering.setBytes(m_mostBytes);
    }
    if (builder.entries() == 0 && m_budget.isShort()) {
      release();
      m_gathering.setBytes(m_mostBytes);
    }
  }
  /// Writes the rows, if there are any.
  void flush() {
    const auto lock = m_gathering.lock();
    writeEntries();
  }
  /// Writes the tables of the rows too, if there are no rows.
  void writeAll() {
    const auto lock = m_gathering.lock();
    m_write(m_gatherer->builder());
  }

private:
  void writeEntries() {
    if (m_write && m_gatherer->builder().entries() > 0)
      m_write(m_gatherer->builder());
  }
  void release() {
    m_gatherer->builder().release();
    m_mostBytes = 0;
  }
  void giveBack() {
    writeEntries();
    release();
    m_gathering.setBytes(m_mostBytes);
  }

  detail::MemoryBudget& m_budget;
  std::unique_ptr<detail::RowGatherer> m_gatherer;
  Write m_write;
  std::size_t m_mostBytes = 0; // that they ever took
  detail::MemoryBudget::Gathering m_gathering;
};

} // namespace kaon
