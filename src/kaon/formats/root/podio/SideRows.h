#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/podio/FrameTables.h>
#include <kaon/formats/root/podio/StoredPages.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaon::root::podio {

/// Which rows of a side table the objects of some entries have. podio writes them object by object,
/// so that they are all rows as they are stored; other orders are right as well.
class SideRows {
public:
  /// Finds them, unless they are those of these entries already. Throws Error(corrupt) for slices
  /// that do not lie within the rows of their entry, or have rows together.
  void find(const SideTable& side, const PageRange& range, StoredPages& pages,
            const Source& stored);

  /// Of each object where its rows begin, and where the last end; none if each has one.
  [[nodiscard]] const std::vector<std::uint32_t>& offsets() const noexcept { return m_offsets; }
  /// Whether the rows are all stored ones in their order.
  [[nodiscard]] bool areAsStored() const noexcept { return m_areAsStored; }
  /// Where a row is stored.
  [[nodiscard]] std::size_t operator[](std::size_t row) const noexcept {
    return m_areAsStored ? row : m_rows[row];
  }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }

private:
  void findSlices(const SideTable& side, const PageRange& range, StoredPages& pages,
                  const Source& stored);
  void listRows(const SideTable& side, const PageRange& range, StoredPages& pages);

  PageRange m_range;
  std::vector<std::uint32_t> m_offsets;
  std::vector<std::uint32_t> m_rows; // only where they are not as stored
  std::size_t m_size = 0;
  bool m_areAsStored = true;
};

} // namespace kaon::root::podio
