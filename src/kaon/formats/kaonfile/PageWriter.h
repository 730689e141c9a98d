#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/Sink.h>
#include <kaon/codec/Chooser.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/PartEncoding.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/kaonfile/ColumnPages.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/formats/kaonfile/GatheredMembers.h>
#include <kaon/formats/kaonfile/PageBounds.h>
#include <kaon/io/SpillFile.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::kaonfile {

/// The bytes of a cluster's record behind its header, not sealed.
struct ClusterBytes {
  std::span<const std::byte> meta;
  std::span<const std::byte> pages;
  const io::SpillFile* before = nullptr; ///< pages before the others, unless null
  [[nodiscard]] std::uint64_t pagesSize() const noexcept {
    return (before ? before->size() : 0) + pages.size();
  }
};

/// Memory for encoding a cluster.
struct PageBuffers {
  Buffer meta;
  Buffer pages;
  Buffer values; ///< values of one page before encoding
  Buffer rows;   ///< rows of one page before encoding
  /// The pages before those in memory, if the cluster is huge; otherwise null.
  std::unique_ptr<io::SpillFile> before = {};
  [[nodiscard]] ClusterBytes bytes() const noexcept {
    return {meta.bytes(), pages.bytes(), before.get()};
  }
  [[nodiscard]] std::size_t capacity() const noexcept {
    return meta.capacity() + pages.capacity() + values.capacity() + rows.capacity();
  }
};

/// Cuts batches of one category into pages and encodes them as clusters. A batch that exceeds the
/// size of clusters has one huge entry. Its large pages are encoded in parts, and go to a temporary
/// file. For one thread at a time.
class PageWriter {
public:
  /// `directory` is for temporary files; without it, all pages stay in memory.
  explicit PageWriter(SinkOptions options, std::string directory = {})
      : m_options(std::move(options)), m_directory(std::move(directory)) {}

  enum class Which { all, tags };
  /// Encodes the whole batch, or only its tags. Tables must have all their members. Each batch has
  /// the tables of earlier batches, and may have further ones.
  void encode(const Batch& batch, Which which = Which::all);
  /// Returns the page ends of a group that is already encoded; empty for other groups.
  using KnownEnds = std::function<std::span<const std::uint32_t>(TableNumber group)>;
  /// Encodes only the root tables of the batch from `firstTable`.
  void encodeFrom(const Batch& batch, TableNumber firstTable, const KnownEnds& knownEnds);

  /// Returns the cluster's meta bytes.
  [[nodiscard]] std::span<const std::byte> meta() const noexcept { return m_buffers.meta.bytes(); }
  /// Returns the cluster's pages.
  [[nodiscard]] std::span<const std::byte> pages() const noexcept {
    return m_buffers.pages.bytes();
  }
  /// Returns the pages of each column.
  [[nodiscard]] const std::map<std::uint32_t, ColumnPages>& columns() const noexcept {
    return m_columns;
  }
  /// Returns meta bytes, pages and further memory.
  [[nodiscard]] const PageBuffers& buffers() const noexcept { return m_buffers; }
  /// Returns the size of this memory in bytes.
  [[nodiscard]] std::size_t capacity() const noexcept { return m_buffers.capacity(); }
  /// Returns the bounds of a member with a column of its own.
  [[nodiscard]] PageBounds bounds(const Schema& schema, ColumnNumber column) const;

  /// Gives it memory for the next cluster.
  void setBuffers(PageBuffers buffers) noexcept { m_buffers = std::move(buffers); }
  /// Returns the memory of the cluster, but keeps the chosen encodings of columns.
  [[nodiscard]] PageBuffers takeBuffers() noexcept {
    m_columns.clear();
    return std::move(m_buffers);
  }

private:
  void begin(const Batch& batch);
  void addChoosers(const Schema& schema);
  [[nodiscard]] std::vector<std::uint32_t> boundaries(const Batch& batch, TableNumber group) const;
  void encodeGroup(const Batch& batch, TableNumber group, TableNumber firstTable = 0,
                   std::span<const std::uint32_t> knownEnds = {});
  void encodePage(const Batch& batch, ColumnNumber column, detail::RowRange entries);
  [[nodiscard]] bool encodeLargePage(const Batch& batch, ColumnNumber column,
                                     detail::RowRange entries);
  [[nodiscard]] codec::BytesAt bytesAt(const Batch& batch, const Column& column,
                                       detail::RowRange values);
  [[nodiscard]] PageBounds boundsInParts(const Batch& batch, const Column& column,
                                         MemberNumber member, detail::RowRange values);
  void spill();
  /// Returns the bytes of the pages before those in memory.
  [[nodiscard]] std::uint64_t bytesBefore() const noexcept {
    return m_buffers.before ? m_buffers.before->size() : 0;
  }
  [[nodiscard]] PageBounds boundsOf(const Batch& batch, const Column& column, std::uint32_t number,
                                    detail::RowRange entries,
                                    std::span<const std::byte> page) const;
  [[nodiscard]] std::span<const std::byte> collect(const Batch& batch, const Column& column,
                                                   detail::RowRange entries);
  [[nodiscard]] std::span<const std::byte> collectValues(const Batch& batch, const Column& column,
                                                         detail::RowRange values);
  [[nodiscard]] std::span<const std::byte> collectCounts(const TableView& table,
                                                         detail::RowRange parents);
  [[nodiscard]] std::span<const std::byte>
  collectMember(const Member& member, const ColumnView& values, detail::RowRange rows);
  [[nodiscard]] std::span<const std::byte> collectRows(const Table& info, const TableView& table,
                                                       detail::RowRange rows);
  [[nodiscard]] PageEntry writePage(std::span<const std::byte> values, std::size_t elementSize,
                                    codec::EncodingChooser& chooser);
  [[nodiscard]] Encoding writeBelievable(std::span<const std::byte> values, Codec& codec);
  void writeRaw(std::span<const std::byte> values);

  SinkOptions m_options;
  std::string m_directory;
  bool m_isHuge = false; // the batch
  /// On the heap, because choosers keep its address.
  std::unique_ptr<codec::SimilarColumns> m_similar = std::make_unique<codec::SimilarColumns>();
  std::vector<codec::EncodingChooser> m_choosers; // chosen encodings of each column
  std::map<std::uint32_t, ColumnPages> m_columns; // of the current cluster
  PageBuffers m_buffers;
  GatheredMembers m_gathered;
  std::vector<detail::StridedCopy> m_copies; // into the rows
};

} // namespace kaon::kaonfile
