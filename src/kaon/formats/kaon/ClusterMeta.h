#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/base/SparseVector.h>
#include <kaon/formats/kaon/ClusterIdentity.h>
#include <kaon/formats/kaon/ColumnPages.h>
#include <kaon/formats/kaon/Contents.h>
#include <kaon/formats/kaon/Format.h>
#include <kaon/io/ByteSource.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::store {

/// What the meta bytes of one cluster, or of tags, say: of each column what is read when it is
/// first asked for. For one thread at a time, one cluster after another.
class ClusterMeta {
public:
  /// Of a category of a file. The bytes and the category outlive it.
  ClusterMeta(const io::ByteSource& bytes, FileIdentity file, const CategoryContents& category)
      : m_bytes(&bytes), m_schema(&category.schema),
        m_cluster{.file = file, .category = category.number},
        m_columns(category.schema.columns().size()) {}

  /// Turns to another cluster, or tags. Throws Error(corrupt).
  void open(const IndexCluster& index, RecordKind kind);
  /// Likewise; its header and meta bytes were read already, and outlive the use of it. Without any
  /// it is as if there were no third argument.
  void open(const IndexCluster& index, RecordKind kind, std::span<const std::byte> record);
  /// Where header and meta bytes lie, if they are so few that they are best read in one piece.
  [[nodiscard]] static std::optional<io::ByteRange> wholeRange(const IndexCluster& index) noexcept;

  /// Reads what describes these columns, and the boundaries of their groups, in as few requests as
  /// it takes. Throws Error(corrupt).
  void load(std::span<const std::uint32_t> columns);

  /// The cluster that is open.
  [[nodiscard]] const IndexCluster& index() const noexcept { return m_cluster.index; }
  /// A column's pages; nullptr where the cluster does not have it. Stays until another cluster is
  /// opened. Throws Error(corrupt).
  [[nodiscard]] const ColumnPages* column(std::uint32_t column);
  /// The numbers of all columns that it describes. Throws Error(corrupt).
  [[nodiscard]] std::vector<std::uint32_t> columns() const;
  /// The entries after the pages of a group, counted from the cluster's first; empty where the
  /// cluster has none of its columns. Stays as long. Throws Error(corrupt).
  [[nodiscard]] std::span<const std::uint32_t> ends(std::uint32_t group);
  /// Where in the file a page's bytes begin. Of one that is not short.
  [[nodiscard]] std::uint64_t position(const PageEntry& page) const noexcept {
    return m_pagesBegin + page.position;
  }
  /// Throws Error(corrupt): what is wrong with the cluster.
  [[noreturn]] void failDamaged(std::string_view what) const { place().failDamaged(what); }

private:
  struct ColumnDescription {
    std::uint64_t opened = 0; // the number of the opening for which it was read
    bool isThere = false;
    ColumnPages pages;
  };

  void turnTo(const IndexCluster& index, RecordKind kind);
  void useRecord(std::span<const std::byte> record);
  bool checkHeader(const RecordHeader& header) const;
  [[nodiscard]] ClusterPlace place() const noexcept {
    return {*m_bytes, m_cluster.file.id, index().position, m_seal};
  }
  [[nodiscard]] std::vector<std::uint32_t> missing(std::span<const std::uint32_t> columns) const;
  [[nodiscard]] std::vector<std::span<const std::byte>>
  bytesOf(std::span<const std::uint32_t> blocks, Buffer& scratch) const;
  [[nodiscard]] io::ByteRange rangeOf(std::span<const std::byte> place) const;
  void checkPlaces() const;
  [[nodiscard]] std::span<const std::byte> knownBytesOf(std::uint32_t block) const;
  void describe(const BlockReader& block, std::uint32_t column);
  [[nodiscard]] const ColumnDescription& description(std::uint32_t column);

  const io::ByteSource* m_bytes;
  const Schema* m_schema;
  ClusterIdentity m_cluster;
  std::uint64_t m_seal = 0;
  std::uint64_t m_opened = 0; // how many clusters so far
  std::uint64_t m_pagesBegin = 0;
  Buffer m_ownRecord;                // copied or read
  std::span<const std::byte> m_meta; // all of it, if it is in memory
  detail::SparseVector<ColumnDescription> m_columns;
};

} // namespace kaon::store
