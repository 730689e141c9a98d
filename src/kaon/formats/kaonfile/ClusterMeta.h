#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/base/SparseVector.h>
#include <kaon/formats/kaonfile/ClusterIdentity.h>
#include <kaon/formats/kaonfile/ColumnPages.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/io/ByteSource.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::kaonfile {

/// The meta bytes of one cluster or tags record at a time. The description of a column is read on
/// first use. For one thread at a time.
class ClusterMeta {
public:
  /// Takes the category of a file. The bytes and the category must outlive it.
  ClusterMeta(const io::ByteSource& bytes, FileIdentity file, const CategoryContents& category)
      : m_bytes(&bytes), m_schema(&category.schema),
        m_cluster{.file = file, .category = category.number},
        m_columns(category.schema.columns().size()) {}

  /// Opens a cluster or tags record. Throws Error(corrupt).
  void open(const IndexCluster& index, RecordKind kind);
  /// Opens a cluster whose header and meta bytes are already read; they must stay valid while it is
  /// used. If `record` is empty, reads them as usual.
  void open(const IndexCluster& index, RecordKind kind, std::span<const std::byte> record);
  /// Returns the range of header and meta bytes if they are short enough to be read at once.
  [[nodiscard]] static std::optional<io::ByteRange> wholeRange(const IndexCluster& index) noexcept;

  /// Reads the descriptions of these columns, and the page boundaries of their groups, in as few
  /// requests as possible. Throws Error(corrupt).
  void load(std::span<const std::uint32_t> columns);

  /// Returns the open cluster.
  [[nodiscard]] const IndexCluster& index() const noexcept { return m_cluster.index; }
  /// Returns a column's pages; null if the cluster lacks the column. Valid until another cluster is
  /// opened. Throws Error(corrupt).
  [[nodiscard]] const ColumnPages* column(ColumnNumber column);
  /// Returns the numbers of all columns in the cluster. Throws Error(corrupt).
  [[nodiscard]] std::vector<std::uint32_t> columns() const;
  /// Returns the first entry after each page of a group, counted from the cluster's first entry.
  /// Empty if the cluster has no column of the group. Valid until another cluster is opened. Throws
  /// Error(corrupt).
  [[nodiscard]] std::span<const std::uint32_t> ends(TableNumber group);
  /// Returns the position of a page in the file. Not for short pages.
  [[nodiscard]] std::uint64_t position(const PageEntry& page) const noexcept {
    return m_pagesBegin + page.position;
  }
  /// Throws Error(corrupt) about the cluster.
  [[noreturn]] void failDamaged(std::string_view what) const { place().failDamaged(what); }

private:
  struct ColumnDescription {
    std::uint64_t opened = 0; // the opening that it was read for
    bool isThere = false;
    ColumnPages pages;
  };

  void turnTo(const IndexCluster& index, RecordKind kind);
  void useRecord(std::span<const std::byte> record);
  bool checkHeader(const RecordHeader& header) const;
  [[nodiscard]] ClusterInFile place() const noexcept {
    return {*m_bytes, m_cluster.file.id, index().position, m_seal};
  }
  [[nodiscard]] std::vector<std::uint32_t> missing(std::span<const std::uint32_t> columns) const;
  [[nodiscard]] std::vector<std::span<const std::byte>>
  bytesOf(std::span<const std::uint32_t> blocks, Buffer& scratch) const;
  [[nodiscard]] io::ByteRange rangeOf(std::span<const std::byte> place) const;
  void checkPlaces() const;
  [[nodiscard]] std::span<const std::byte> knownBytesOf(std::uint32_t block) const;
  void describe(const ColumnBlockReader& block, ColumnNumber column);
  [[nodiscard]] const ColumnDescription& description(ColumnNumber column);

  const io::ByteSource* m_bytes;
  const Schema* m_schema;
  ClusterIdentity m_cluster;
  std::uint64_t m_seal = 0;
  std::uint64_t m_opened = 0; // number of openings so far
  std::uint64_t m_pagesBegin = 0;
  Buffer m_ownRecord;                // if copied or read
  std::span<const std::byte> m_meta; // all meta bytes, if in memory
  detail::SparseVector<ColumnDescription> m_columns;
};

} // namespace kaon::kaonfile
