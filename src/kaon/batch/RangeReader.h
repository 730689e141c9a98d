#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/Source.h>
#include <kaon/batch/Window.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kaon {

/// Reads all tables of a range of entries, wherever its pages end, into memory of its own: as one
/// batch. For one thread; each makes its own.
class RangeReader {
public:
  explicit RangeReader(const Source& source);

  /// The entries, which the source has. The batch lasts until the next call.
  [[nodiscard]] const Batch& read(EntryRange range);

private:
  struct Memory { // of one table
    std::vector<std::uint32_t> offsets;
    Buffer present;
    std::vector<Buffer> members;
  };
  void appendPage(std::uint32_t table, EntryRange entries);
  void appendOffsets(std::uint32_t table, EntryRange entries);
  void view(std::uint32_t table);

  const Schema& m_schema;
  Window m_window;
  std::vector<Memory> m_memory;
  Batch m_batch;
};

/// Adds to `bytes`, of each entry of a range, what its rows and their counts take in memory.
void measure(Window& window, EntryRange range, std::vector<std::uint64_t>& bytes);

} // namespace kaon
