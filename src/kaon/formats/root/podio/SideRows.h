#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/podio/FrameTables.h>
#include <kaon/formats/root/podio/PodioPages.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaon::root::podio {

/// The rows of a side table for each object of some entries. podio writes them object by object, so
/// the rows are usually used in stored order. Other orders are valid, too.
class SideRows {
public:
  /// Finds the rows, unless `range` has the same entries as before. Throws Error(corrupt) for
  /// slices that overlap or are not within the rows of their entry.
  void find(const SideTable& side, const detail::PageRange& range, PodioPages& pages,
            const Source& stored);

  /// The start of each object's rows, and the end of the last. Empty if each object has one row.
  [[nodiscard]] const std::vector<std::uint32_t>& offsets() const noexcept { return m_offsets; }
  /// Whether all stored rows are used in stored order.
  [[nodiscard]] bool areAsStored() const noexcept { return m_areAsStored; }
  /// Returns the stored position of a row.
  [[nodiscard]] std::size_t operator[](std::size_t row) const noexcept {
    return m_areAsStored ? row : m_rows[row];
  }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }

private:
  void findSlices(const SideTable& side, const detail::PageRange& range, PodioPages& pages,
                  const Source& stored);
  void listRows(const SideTable& side, const detail::PageRange& range, PodioPages& pages);

  detail::PageRange m_range;
  std::vector<std::uint32_t> m_offsets;
  std::vector<std::uint32_t> m_rows; // only if they are not in stored order
  std::size_t m_size = 0;
  bool m_areAsStored = true;
};

} // namespace kaon::root::podio
