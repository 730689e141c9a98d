#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/kaon/Bounds.h>
#include <kaon/formats/kaon/Contents.h>
#include <kaon/formats/kaon/Format.h>
#include <kaon/io/ByteSource.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace kaon::store {

/// The meta bytes of one cluster, checked, and where its pages are. Immutable, for any thread.
class Cluster {
public:
  /// Reads and checks the record of which the index says so. Throws Error(corrupt).
  Cluster(const io::ByteSource& source, const IndexCluster& index, std::uint64_t fileId,
          RecordKind kind, std::uint32_t category);

  [[nodiscard]] const RecordHeader& header() const noexcept { return m_header; }
  /// A group of tables, nullptr where the cluster was written before there was such a group.
  [[nodiscard]] const ClusterGroup* group(std::uint32_t group) const noexcept;
  /// The first entries after each of the group's pages, counted from the cluster's first entry.
  [[nodiscard]] std::span<const ClusterBoundary> boundaries(const ClusterGroup& group) const {
    return m_boundaries.subspan(group.firstBoundary, group.pages);
  }
  /// The pages of a column of the group; empty where the cluster does not have the column. Throws
  /// Error(corrupt) if they lie outside.
  [[nodiscard]] std::span<const PageEntry> pages(const ClusterGroup& group,
                                                 std::uint32_t column) const;
  /// The bounds of these pages; empty where the cluster does not have any.
  [[nodiscard]] std::span<const Bounds> bounds(const ClusterGroup& group,
                                               std::uint32_t column) const;
  /// Whether it says where the pages of a column are.
  [[nodiscard]] bool hasColumn(std::uint32_t column) const noexcept { return find(column); }
  /// Where in the file a page's bytes begin.
  [[nodiscard]] std::uint64_t position(const PageEntry& page) const noexcept {
    return m_pagesBegin + page.position;
  }
  /// Where in the file the record begins.
  [[nodiscard]] std::uint64_t recordPosition() const noexcept { return m_where; }
  /// All pages, in the order of the columns.
  [[nodiscard]] std::span<const PageEntry> pages() const noexcept { return m_entries; }
  [[nodiscard]] std::span<const ClusterColumn> columns() const noexcept { return m_columns; }
  [[nodiscard]] std::span<const ClusterGroup> groups() const noexcept { return m_groups; }

  /// Whether the page was found to match its checksum: once is enough while the file is open.
  [[nodiscard]] bool isVerified(const PageEntry& page) const noexcept {
    return m_verified[number(page)].load(std::memory_order_relaxed);
  }
  void setVerified(const PageEntry& page) const noexcept {
    m_verified[number(page)].store(true, std::memory_order_relaxed);
  }

private:
  [[nodiscard]] std::size_t number(const PageEntry& page) const noexcept {
    return static_cast<std::size_t>(&page - m_entries.data());
  }
  [[nodiscard]] const ClusterColumn* find(std::uint32_t column) const noexcept;
  void check() const;
  [[noreturn]] void failDamaged(const char* what) const;

  const io::ByteSource& m_source;
  std::uint64_t m_where;
  RecordHeader m_header;
  std::uint64_t m_pagesBegin = 0;
  Buffer m_meta; // if it does not lie in the source, aligned
  std::span<const ClusterGroup> m_groups;
  std::span<const ClusterColumn> m_columns;
  std::span<const PageEntry> m_entries;
  std::span<const Bounds> m_bounds;
  std::span<const ClusterBoundary> m_boundaries;
  std::unique_ptr<std::atomic<bool>[]> m_verified; // by page
};

} // namespace kaon::store
