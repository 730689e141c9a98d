#pragma once

#include <kaon/formats/root/ntuple/NTupleDescriptor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// The size of the checksum behind a page.
inline constexpr std::size_t pageChecksumBytes = 8;

/// The place of one page of a column.
struct PageLocator {
  Locator place;                  ///< of its bytes, without the checksum
  std::uint64_t firstElement = 0; ///< counted from the beginning of the cluster
  std::uint32_t elements = 0;
  bool hasChecksum = false; ///< whether a checksum follows the page
};

/// A range of entries, and the places of its pages.
struct Cluster {
  std::uint64_t firstEntry = 0, entries = 0;

  struct Column {
    std::uint32_t firstPage = 0, pages = 0;
    std::uint64_t elements = 0;
    /// Setting of the writer: 100 times the algorithm, plus the level.
    std::uint32_t compression = 0;
    bool isThere = false; ///< false if another representation, or a later cluster, has its values
  };
  std::vector<Column> columns; ///< by number; the last ones may be missing
  std::vector<PageLocator> pages;

  [[nodiscard]] Column column(std::uint32_t number) const noexcept {
    return number < columns.size() ? columns[number] : Column{};
  }
  [[nodiscard]] std::span<const PageLocator> pagesOf(const Column& column) const noexcept {
    return std::span(pages).subspan(column.firstPage, column.pages);
  }
};

/// Reads the page lists of all clusters in one request. Checks that their entries are consecutive.
/// Throws Error(corrupt), Error(version).
[[nodiscard]] std::vector<Cluster> readClusters(const io::ByteSource& bytes,
                                                const NTupleDescriptor& descriptor,
                                                const std::string& where);

} // namespace kaon::root
