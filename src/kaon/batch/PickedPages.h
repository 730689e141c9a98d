#pragma once

#include <kaon/batch/Source.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

namespace kaon {

/// Pages of entries that are picked from a source in any order, be it several times: put together
/// from its pages, a block of them at a time. Such an entry's number is its place in the list. For
/// one thread.
class PickedPages {
public:
  /// In place of an entry: of the source it has no collections, no parameters, and values of what
  /// is missing.
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  /// The source, and the list of its entries, outlive it.
  PickedPages(const Source& source, std::span<const std::uint64_t> picked);
  ~PickedPages();
  PickedPages(const PickedPages&) = delete;
  PickedPages& operator=(const PickedPages&) = delete;

  // As those of Cursor.
  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries);
  [[nodiscard]] detail::PageRange pages(std::uint32_t group, std::uint64_t entry);
  /// The range may be part of one that pages() returned. Throws Error(usage) for more than 1 GiB.
  void read(std::uint32_t column, const detail::PageRange& range, std::size_t values,
            detail::Page& page);

private:
  class Implementation;
  std::unique_ptr<Implementation> m_implementation;
};

} // namespace kaon
