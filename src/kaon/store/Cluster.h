#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/io/ByteSource.h>
#include <kaon/store/Format.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace kaon::store {

/// The meta bytes of one cluster, checked, and where its pages are. Immutable, for any thread.
class Cluster {
public:
  /// Reads and checks the record at `position`. Throws Error(corrupt).
  Cluster(const io::ByteSource& source, std::uint64_t position, std::uint64_t fileId);

  [[nodiscard]] const RecordHeader& header() const noexcept { return m_header; }
  /// The group of a root table, nullptr where the cluster was written before the table was.
  [[nodiscard]] const ClusterGroup* group(std::uint32_t table) const noexcept;
  /// The first entries after each of the group's pages, counted from the cluster's first entry.
  [[nodiscard]] std::span<const ClusterBoundary> boundaries(const ClusterGroup& group) const {
    return m_boundaries.subspan(group.firstBoundary, group.pages);
  }
  /// The pages of a column of the group; empty where the cluster does not have the column.
  [[nodiscard]] std::span<const PageEntry> pages(const ClusterGroup& group,
                                                 std::uint32_t column) const noexcept;
  /// Where in the file a page's bytes begin.
  [[nodiscard]] std::uint64_t position(const PageEntry& page) const noexcept {
    return m_pagesBegin + page.position;
  }

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
  void check() const;
  [[noreturn]] void failDamaged(const char* what) const;

  std::string m_where;
  RecordHeader m_header;
  std::uint64_t m_pagesBegin = 0;
  Buffer m_meta; // if it does not lie in the source, aligned
  std::span<const ClusterGroup> m_groups;
  std::span<const ClusterColumn> m_columns;
  std::span<const PageEntry> m_entries;
  std::span<const ClusterBoundary> m_boundaries;
  std::unique_ptr<std::atomic<bool>[]> m_verified; // by page
};

/// Reads the header of the record at `position` and its meta bytes. Throws Error(corrupt).
RecordHeader readRecord(const io::ByteSource& source, std::uint64_t position, std::uint64_t fileId,
                        RecordKind kind, std::span<const std::byte>& meta, Buffer& scratch);

} // namespace kaon::store
