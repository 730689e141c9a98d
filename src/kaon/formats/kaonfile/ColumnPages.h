#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/formats/kaonfile/PageBounds.h>
#include <kaon/io/ByteSource.h>
#include <kaon/model/Schema.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::kaonfile {

/// The place and form of a stored page.
struct PageEntry {
  std::uint64_t position = 0; ///< From the beginning of the cluster's pages, unless it is short.
  std::uint64_t size = 0;     ///< Stored bytes.
  std::uint32_t values = 0;
  std::uint32_t checksum = 0; ///< Of the stored bytes, unless it is short.
  Encoding encoding = Encoding::raw;
  std::uint8_t codec = 0; ///< The codec that its pieces may use; each piece says whether it does.
  bool isShort = false;   ///< Its bytes are in `bytes`.
  std::array<std::byte, shortPage> bytes{};
};

/// Returns the checksum of a page: the lower half of the usual checksum.
[[nodiscard]] std::uint32_t pageChecksum(std::span<const std::byte> stored) noexcept;

/// The description of a column in a cluster's meta bytes.
struct ColumnPages {
  std::vector<PageEntry> pages;
  /// For each page, the bounds of each member in the column (membersIn()).
  std::vector<PageBounds> bounds;
  /// The first entry after each page, counted from the cluster's first entry. Only in the first
  /// existing column of each group; else empty.
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

/// Writes a cluster's meta bytes, for columns in ascending order. Checksums of blocks are not
/// sealed; the file that takes the cluster seals them.
class ClusterMetaWriter {
public:
  ClusterMetaWriter(const Schema& schema, Buffer& out);
  void add(ColumnNumber column, const ColumnPages& pages);
  void finish();

private:
  void endBlock();

  const Schema& m_schema;
  Buffer& m_out;
  std::uint32_t m_blocks;
  std::uint32_t m_block = 0; ///< current block
  std::uint16_t m_has = 0;   ///< bits of its existing columns
  Buffer m_body;             ///< their descriptions
  Buffer m_description;
};

/// A cluster in a file, while its blocks are read.
struct ClusterInFile {
  const io::ByteSource& bytes;
  std::uint64_t fileId = 0;
  std::uint64_t position = 0;
  std::uint64_t seal = 0; ///< of the blocks' checksums

  /// Throws Error(corrupt).
  [[noreturn]] void failDamaged(std::string_view what) const;
};

/// Reads the column descriptions of a block.
class ColumnBlockReader {
public:
  /// Checks the block's checksum, which is valid only in this cluster, and its number. Throws
  /// Error(corrupt).
  ColumnBlockReader(std::span<const std::byte> block, std::uint32_t number, ClusterInFile cluster);

  /// Returns whether the cluster has this column of the block.
  [[nodiscard]] bool has(ColumnNumber column) const noexcept {
    return blockOf(column) == m_number && (m_has >> (column % columnsOfBlock) & 1) != 0;
  }
  /// Reads the description of an existing column. Throws Error(corrupt).
  void read(const Schema& schema, ColumnNumber column, ColumnPages& out) const;

private:
  std::uint32_t m_number;
  std::uint16_t m_has = 0;
  std::span<const std::byte> m_descriptions;
  ClusterInFile m_cluster;
};

} // namespace kaon::kaonfile
