#pragma once

#include <kaon/batch/Source.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

namespace kaon {

/// Pages of entries that are picked from a source in any order, possibly several times. They are
/// put together from the source's pages, one block at a time. The number of a picked entry is its
/// place in the list. For one thread.
class PickedPages {
public:
  /// A place without an entry. It has no collections, no parameters, and missing values.
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  /// The source and the list of its entries must outlive this object.
  PickedPages(const Source& source, std::span<const std::uint64_t> picked);
  ~PickedPages();
  PickedPages(const PickedPages&) = delete;
  PickedPages& operator=(const PickedPages&) = delete;

  // See these functions of Cursor.
  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries);
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry);
  /// `range` may be part of a range that pages() returned. Throws Error(usage) for more than 1 GiB.
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page);

private:
  class Implementation;
  std::unique_ptr<Implementation> m_implementation;
};

} // namespace kaon
