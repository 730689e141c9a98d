#pragma once

#include <kaon/io/SpillFile.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kaon::store {

/// Columns of ranks of keys and, as the last one, of entries; all as long.
using KeyColumns = std::vector<std::vector<std::uint64_t>>;

/// Puts rows of keys in order, in bounded memory: what does not fit goes, sorted, to a temporary
/// file. Rows of the same keys stay in the order in which they come. For one thread at a time.
class KeySorter {
public:
  /// For so many keys; `memoryBytes` is what the rows may take in memory, in the order of it;
  /// `directory` is where the others wait.
  KeySorter(std::size_t keys, std::size_t memoryBytes, std::string directory);

  [[nodiscard]] std::size_t keys() const noexcept { return m_rows.size() - 1; }
  /// The rows that are there.
  [[nodiscard]] std::uint64_t rows() const noexcept { return m_spilled + m_rows.front().size(); }
  /// Whether so many rows can be taken off: all came in order so far, and they are in memory.
  [[nodiscard]] bool canTakeFirst(std::size_t count) const noexcept {
    return m_isInOrder && m_runs.empty() && m_rows.front().size() >= count;
  }

  /// Adds rows, fewer than 2^32. Throws Error(io).
  void add(const KeyColumns& rows);
  /// Takes the first rows off, where that can be done.
  void takeFirst(std::size_t count, KeyColumns& rows);
  /// Takes all rows, in order, in pieces of `count` but for the last. It is then as new. Throws
  /// Error(io).
  void takeAll(std::size_t count, const std::function<void(const KeyColumns& rows)>& use);

private:
  /// Rows in the file, in order.
  struct Run {
    std::uint64_t position;
    std::uint64_t end;
  };
  class RunReader;

  [[nodiscard]] std::vector<std::uint32_t> order() const;
  void sortInto(std::size_t count, const std::function<void(const KeyColumns& rows)>& use);
  void spill();
  void merge(std::size_t count, const std::function<void(const KeyColumns& rows)>& use);
  [[nodiscard]] std::size_t rowBytes() const noexcept {
    return m_rows.size() * sizeof(std::uint64_t);
  }

  std::size_t m_memoryBytes;
  KeyColumns m_rows;                 // in memory
  std::vector<std::uint64_t> m_last; // row that was added
  bool m_isInOrder = true;
  io::SpillFile m_file;
  std::vector<Run> m_runs;
  std::uint64_t m_spilled = 0; // rows
};

} // namespace kaon::store
