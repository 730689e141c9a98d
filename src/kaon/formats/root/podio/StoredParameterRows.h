#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/podio/FrameTables.h>
#include <kaon/formats/root/podio/ParameterKeys.h>
#include <kaon/formats/root/podio/PodioPages.h>

#include <cstdint>
#include <span>
#include <vector>

namespace kaon::root::podio {

/// The rows of the parameters of one type in some entries, by key. Each entry of the container has
/// a list of keys, and a list of values for each key.
class StoredParameterRows {
public:
  /// A list of values. `entry` counts from the beginning of the range.
  struct Place {
    std::uint32_t entry;
    std::uint32_t row; ///< in the table of lists
  };

  explicit StoredParameterRows(const ParameterTable& table)
      : m_table(&table), m_numbers(table.names) {}

  /// Finds the rows, unless `range` has the same entries as before. Throws Error(corrupt) if an
  /// entry has different numbers of keys and lists.
  void find(const detail::PageRange& range, PodioPages& pages, const Source& stored);

  /// The entries that have a key, ascending.
  [[nodiscard]] std::span<const Place> places(std::uint32_t key) const noexcept {
    return std::span(m_places).subspan(m_firsts[key], m_firsts[key + 1] - m_firsts[key]);
  }

private:
  const ParameterTable* m_table;
  KeyNumbers m_numbers;
  detail::PageRange m_range;
  // Key of each row, or KeyNumbers::none for keys without a number.
  std::vector<std::uint32_t> m_keys;
  std::vector<std::uint32_t>
      m_firsts; // of each key: the start of its places; behind them the end of the last
  std::vector<Place> m_places;
};

} // namespace kaon::root::podio
