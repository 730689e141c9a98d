#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/Sink.h>
#include <kaon/codec/Chooser.h>
#include <kaon/codec/Codec.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/kaon/Bounds.h>
#include <kaon/formats/kaon/ColumnPages.h>
#include <kaon/formats/kaon/Format.h>
#include <kaon/formats/kaon/GatheredMembers.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace kaon::store {

/// The bytes of a cluster's record behind its header, but for the seal of its blocks.
struct ClusterBytes {
  std::span<const std::byte> meta;
  std::span<const std::byte> pages;
};

/// Memory in which a cluster is encoded.
struct PageBuffers {
  Buffer meta;
  Buffer pages;
  Buffer values; ///< of one page, before encoding
  Buffer rows;   ///< likewise
  [[nodiscard]] ClusterBytes bytes() const noexcept { return {meta.bytes(), pages.bytes()}; }
  [[nodiscard]] std::size_t capacity() const noexcept {
    return meta.capacity() + pages.capacity() + values.capacity() + rows.capacity();
  }
};

/// Cuts batches of one category into pages and encodes them: makes the bodies of clusters. For one
/// thread at a time.
class PageWriter {
public:
  explicit PageWriter(SinkOptions options) : m_options(std::move(options)) {}

  enum class Which { all, tags };
  /// Encodes all of the batch, or its tags. Its tables have all their members, and are those of
  /// batches before and further ones.
  void encode(const Batch& batch, Which which = Which::all);
  /// Where the pages of a group end that others have encoded; empty if there are none.
  using KnownEnds = std::function<std::span<const std::uint32_t>(std::uint32_t group)>;
  /// Encodes the root tables of the batch from this one on, and no others.
  void encodeFrom(const Batch& batch, std::uint32_t firstTable, const KnownEnds& knownEnds);

  /// The meta bytes of the cluster.
  [[nodiscard]] std::span<const std::byte> meta() const noexcept { return m_buffers.meta.bytes(); }
  /// The cluster's pages.
  [[nodiscard]] std::span<const std::byte> pages() const noexcept {
    return m_buffers.pages.bytes();
  }
  /// The pages of each column.
  [[nodiscard]] const std::map<std::uint32_t, ColumnPages>& columns() const noexcept {
    return m_columns;
  }
  /// Both, with the memory that they were encoded in.
  [[nodiscard]] const PageBuffers& buffers() const noexcept { return m_buffers; }
  /// Memory of these, and of what they were encoded in.
  [[nodiscard]] std::size_t capacity() const noexcept { return m_buffers.capacity(); }
  /// The bounds of a member in a column of its own.
  [[nodiscard]] PageBounds bounds(const Schema& schema, std::uint32_t column) const;

  /// Gives it memory to encode the next cluster in.
  void setBuffers(PageBuffers buffers) noexcept { m_buffers = std::move(buffers); }
  /// Forgets the cluster, but not what was learnt about its columns.
  [[nodiscard]] PageBuffers takeBuffers() noexcept {
    m_columns.clear();
    return std::move(m_buffers);
  }

private:
  void begin(const Schema& schema);
  void addChoosers(const Schema& schema);
  [[nodiscard]] std::vector<std::uint32_t> boundaries(const Batch& batch,
                                                      std::uint32_t group) const;
  void encodeGroup(const Batch& batch, std::uint32_t group, std::uint32_t firstTable = 0,
                   std::span<const std::uint32_t> knownEnds = {});
  void encodePage(const Batch& batch, std::uint32_t column, detail::RowRange entries);
  [[nodiscard]] PageBounds boundsOf(const Batch& batch, const Column& column, std::uint32_t number,
                                    detail::RowRange entries,
                                    std::span<const std::byte> page) const;
  [[nodiscard]] std::span<const std::byte> collect(const Batch& batch, const Column& column,
                                                   detail::RowRange entries);
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
  /// Has an address of its own, which choosers know.
  std::unique_ptr<codec::AlikeColumns> m_alike = std::make_unique<codec::AlikeColumns>();
  std::vector<codec::EncodingChooser> m_choosers; // what was learnt about each column
  std::map<std::uint32_t, ColumnPages> m_columns; // of the cluster
  PageBuffers m_buffers;
  GatheredMembers m_gathered;
  std::vector<detail::StridedCopy> m_copies; // into the rows
};

} // namespace kaon::store
