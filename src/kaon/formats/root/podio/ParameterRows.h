#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/podio/FrameTables.h>
#include <kaon/formats/root/podio/ParameterKeys.h>
#include <kaon/formats/root/podio/StoredPages.h>

#include <cstdint>
#include <span>
#include <vector>

namespace kaon::root::podio {

/// Where the parameters of a type are stored in some entries, key by key. The container has lists
/// of keys, each with a list of values, entry by entry.
class ParameterRows {
public:
  /// A list in an entry, which counts from the first one of the range.
  struct Place {
    std::uint32_t entry;
    std::uint32_t row; ///< in the table of lists
  };

  explicit ParameterRows(const ParameterTable& table) : m_table(&table), m_numbers(table.names) {}

  /// Finds them, unless they are those of these entries already. Throws Error(corrupt) if an entry
  /// has more or less keys than lists.
  void find(const PageRange& range, StoredPages& pages, const Source& stored);

  /// The entries that have a key, ascending.
  [[nodiscard]] std::span<const Place> places(std::uint32_t key) const noexcept {
    return std::span(m_places).subspan(m_firsts[key], m_firsts[key + 1] - m_firsts[key]);
  }

private:
  const ParameterTable* m_table;
  KeyNumbers m_numbers;
  PageRange m_range;
  std::vector<std::uint32_t> m_keys; // of each row, KeyNumbers::none for one without a number
  std::vector<std::uint32_t>
      m_firsts; // of each key: where its places begin, and where the last end
  std::vector<Place> m_places;
};

} // namespace kaon::root::podio
