#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/codec/Chooser.h>
#include <kaon/codec/Codec.h>
#include <kaon/store/Format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::store {

/// Cuts a batch into pages and encodes them: makes the body of a cluster.
class PageWriter {
public:
  /// What was learnt about each column of a category, by number; empty before the first batch.
  using Choosers = std::vector<codec::EncodingChooser>;

  PageWriter(Compression compression, std::size_t pageBytes)
      : m_compression(compression), m_pageBytes(pageBytes) {}

  /// Encodes all of the batch. Its tables have all their members.
  void encode(const Batch& batch, Choosers& choosers);

  /// The meta bytes of the cluster.
  [[nodiscard]] std::span<const std::byte> meta() const noexcept { return m_meta.bytes(); }
  /// The cluster's pages.
  [[nodiscard]] std::span<const std::byte> pages() const noexcept { return m_pages.bytes(); }

private:
  struct RowRange {
    std::size_t first, last;
  };
  [[nodiscard]] std::vector<std::uint32_t> boundaries(const Batch& batch, std::uint32_t root) const;
  void encodeGroup(const Batch& batch, std::uint32_t root, Choosers& choosers);
  [[nodiscard]] std::span<const std::byte> collect(const Batch& batch, const Column& column,
                                                   RowRange entries);
  [[nodiscard]] std::span<const std::byte> collectCounts(const TableView& table, RowRange parents);
  [[nodiscard]] std::span<const std::byte> collectRows(const Table& info, const TableView& table,
                                                       RowRange rows);
  void writePage(std::span<const std::byte> values, std::size_t elementSize,
                 codec::EncodingChooser& chooser);
  void writeRaw(std::span<const std::byte> values);

  Compression m_compression;
  std::size_t m_pageBytes;
  std::vector<ClusterGroup> m_groups;
  std::vector<ClusterColumn> m_columns;
  std::vector<ClusterBoundary> m_boundaries;
  std::vector<PageEntry> m_entries;
  Buffer m_meta;
  Buffer m_pages;
  Buffer m_values; // of one page, before encoding
};

} // namespace kaon::store
