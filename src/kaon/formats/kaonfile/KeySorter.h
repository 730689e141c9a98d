#pragma once

#include <kaon/io/SpillFile.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kaon::kaonfile {

/// Columns of ranks of keys; the last column has the entries. All have the same length.
using KeyColumns = std::vector<std::vector<std::uint64_t>>;

/// Sorts rows of keys in bounded memory. Rows that do not fit are written, sorted, to a temporary
/// file. Rows with equal keys keep their order. For one thread at a time.
class KeySorter {
public:
  /// Takes the number of keys, the approximate memory for rows in bytes, and the directory of the
  /// temporary file.
  KeySorter(std::size_t keys, std::size_t memoryBytes, std::string directory);

  [[nodiscard]] std::size_t keys() const noexcept { return m_rows.size() - 1; }
  /// Returns the number of rows.
  [[nodiscard]] std::uint64_t rows() const noexcept { return m_spilled + m_rows.front().size(); }
  /// Returns whether takeFirst() can take `count` rows: all rows arrived in order and are in
  /// memory.
  [[nodiscard]] bool canTakeFirst(std::size_t count) const noexcept {
    return m_isInOrder && m_runs.empty() && m_rows.front().size() >= count;
  }

  /// Adds fewer than 2^32 rows. Throws Error(io).
  void add(const KeyColumns& rows);
  /// Takes the first rows. Only if canTakeFirst().
  void takeFirst(std::size_t count, KeyColumns& rows);
  /// Takes all rows in order, in pieces of `count`; the last may be shorter. Leaves the sorter
  /// empty. Throws Error(io).
  void takeAll(std::size_t count, const std::function<void(const KeyColumns& rows)>& use);

private:
  /// Sorted rows in the file.
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
  KeyColumns m_rows;                 // rows in memory
  std::vector<std::uint64_t> m_last; // the last row added
  bool m_isInOrder = true;
  io::SpillFile m_file;
  std::vector<Run> m_runs;
  std::uint64_t m_spilled = 0; // rows in the file
};

} // namespace kaon::kaonfile
