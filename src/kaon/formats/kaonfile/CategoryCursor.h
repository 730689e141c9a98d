#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/kaonfile/ClusterMeta.h>
#include <kaon/formats/kaonfile/StoredCategory.h>
#include <kaon/io/ByteSource.h>
#include <kaon/reading/PlannedReads.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::kaonfile {

/// Reads the pages of a category for one reader. Reads in portions: a cluster, or as much of it as
/// fits into the memory budget, in one request. Announces the next portion to the source of bytes.
class CategoryCursor final : public detail::Cursor {
public:
  explicit CategoryCursor(const StoredCategory& category);

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override;
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_reads.hold(); }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override;
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;
  [[nodiscard]] std::optional<StoredPage> stored(ColumnNumber column,
                                                 const detail::PageRange& range) override;
  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 const detail::PageRange& range) override;

private:
  /// A cluster or tags record whose meta bytes are loaded.
  struct Holder {
    std::size_t number = ~std::size_t{0};
    ClusterMeta meta;
  };

  [[nodiscard]] ClusterMeta& holder(std::size_t number);
  [[nodiscard]] bool needsCluster(std::size_t number) const;
  [[nodiscard]] PlannedReads::Portion portionAt(std::uint64_t entry);
  [[nodiscard]] std::vector<io::ByteRange> rangesOf(EntryRange entries);
  void fetchPortion(std::uint64_t entry);
  void announceMeta(std::size_t first) const;
  void fetchBytes();
  [[nodiscard]] std::vector<io::ByteRange> rangesOfPage(ClusterMeta& cluster, TableNumber group,
                                                        std::uint32_t page) const;
  void fetchEvents(ClusterMeta& cluster, ColumnNumber column, const detail::PageRange& range);
  [[nodiscard]] std::optional<std::span<const std::byte>> find(std::uint64_t position,
                                                               std::uint64_t size);
  [[nodiscard]] std::span<const std::byte> bytesAt(std::uint64_t position, std::uint64_t size);

  [[nodiscard]] const Schema& schema() const noexcept { return m_category.schema(); }
  [[nodiscard]] bool lacksTable(ClusterMeta& cluster, TableNumber table) const;
  [[nodiscard]] std::span<const std::byte> bytesOf(const ClusterMeta& cluster,
                                                   const PageEntry& entry);
  void check(const ClusterMeta& cluster, const PageEntry& entry, ColumnNumber column,
             std::span<const std::byte> bytes) const;
  [[nodiscard]] std::span<const std::byte> lasting(const PageEntry& entry,
                                                   std::span<const std::byte> bytes);
  void decode(const ClusterMeta& cluster, const PageEntry& entry, ColumnNumber column,
              detail::Page& page);
  void decodeLarge(const ClusterMeta& cluster, const PageEntry& entry, ColumnNumber column,
                   std::span<const std::byte> stored, std::span<std::byte> values);
  void decodeOffsets(const ClusterMeta& cluster, const PageEntry& entry, ColumnNumber column,
                     std::span<const std::byte> stored, detail::Page& page) const;
  [[noreturn]] void failPage(const ClusterMeta& cluster, const PageEntry& entry,
                             ColumnNumber column, const std::string& what) const;
  [[nodiscard]] std::string nameOf(ColumnNumber column) const;
  [[nodiscard]] std::string cause() const {
    return causeOfDamage(m_category.bytes(), m_category.file().id);
  }

  const StoredCategory& m_category;
  Holder m_cluster, m_next, m_tags;        // Current cluster, next cluster, current tags.
  std::vector<std::uint32_t> m_columns;    // Columns to fetch.
  std::uint32_t m_group = 0;               // The last requested group.
  PlannedReads m_reads;                    // Planned entries, and the fetched portion.
  std::vector<io::FetchedRanges> m_events; // Unplanned reads of single events.
  std::uint64_t m_eventBytes = 0;          // Bytes in m_events.
  std::shared_ptr<const void> m_keeper;    // Keeps the bytes of the last find().
  Buffer m_scratch;
};

} // namespace kaon::kaonfile
