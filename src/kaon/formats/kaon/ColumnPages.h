#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/formats/kaon/Bounds.h>
#include <kaon/formats/kaon/Format.h>
#include <kaon/io/ByteSource.h>
#include <kaon/model/Schema.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::store {

/// How a page is stored.
struct PageEntry {
  std::uint64_t position = 0; ///< from the beginning of the cluster's pages, unless it is short
  std::uint64_t size = 0;     ///< bytes stored
  std::uint32_t values = 0;
  std::uint32_t checksum = 0; ///< of the bytes stored, unless it is short
  Encoding encoding = Encoding::raw;
  std::uint8_t codec = 0; ///< that its pieces may be compressed with; they say so themselves
  bool isShort = false;   ///< its bytes are these:
  std::array<std::byte, shortPage> bytes{};
};

/// What a checksum of a page is: the lower half of that of other things.
[[nodiscard]] std::uint32_t pageChecksum(std::span<const std::byte> stored) noexcept;

/// What a cluster's meta bytes say of a column.
struct ColumnPages {
  std::vector<PageEntry> pages;
  /// Of each page, of each member that lies in the column (membersIn()).
  std::vector<PageBounds> bounds;
  /// The first entry after each page, counted from the cluster's first. Only the first column of a
  /// group that the cluster has says so, for all of the group; else empty.
  std::vector<std::uint32_t> ends;

  [[nodiscard]] std::size_t members() const noexcept {
    return pages.empty() ? 0 : bounds.size() / pages.size();
  }
  void clear() noexcept {
    pages.clear();
    bounds.clear();
    ends.clear();
  }
};

/// A cluster's meta bytes, for columns in ascending order. The checksums of its blocks are not
/// sealed: that is done where the cluster gets its place in a file.
class ClusterMetaWriter {
public:
  ClusterMetaWriter(const Schema& schema, Buffer& out);
  void add(std::uint32_t column, const ColumnPages& pages);
  void finish();

private:
  void endBlock();

  const Schema& m_schema;
  Buffer& m_out;
  std::uint32_t m_blocks;
  std::uint32_t m_block = 0; ///< the one that is being written
  std::uint16_t m_has = 0;   ///< which of its columns
  Buffer m_body;             ///< their descriptions
  Buffer m_description;
};

/// A cluster in a file, whose blocks are read.
struct ClusterPlace {
  const io::ByteSource& bytes;
  std::uint64_t fileId = 0;
  std::uint64_t position = 0;
  std::uint64_t seal = 0; ///< of its blocks' checksums

  /// Throws Error(corrupt).
  [[noreturn]] void failDamaged(std::string_view what) const;
};

/// The columns of a block, one after another.
class BlockReader {
public:
  /// Checks the block's checksum, which only fits in this cluster, and its number. Throws
  /// Error(corrupt).
  BlockReader(std::span<const std::byte> block, std::uint32_t number, ClusterPlace cluster);

  /// Whether the cluster has that column of the block.
  [[nodiscard]] bool has(std::uint32_t column) const noexcept {
    return blockOf(column) == m_number && (m_has >> (column % columnsOfBlock) & 1) != 0;
  }
  /// Describes a column that it has. Throws Error(corrupt).
  void read(const Schema& schema, std::uint32_t column, ColumnPages& out) const;

private:
  std::uint32_t m_number;
  std::uint16_t m_has = 0;
  std::span<const std::byte> m_descriptions;
  ClusterPlace m_cluster;
};

} // namespace kaon::store
