#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/root/RootCategoryWriter.h>
#include <kaon/formats/root/ntuple/NTupleDescriptor.h>
#include <kaon/formats/root/ntuple/PageList.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace kaon::root {

/// A page among the pages of its cluster, followed by its checksum.
struct EncodedPage {
  std::uint64_t position = 0; ///< in the cluster's pages, or in the file
  std::uint32_t bytes = 0;    ///< without the checksum
  std::uint32_t elements = 0;
};

/// An encoded cluster, ready to be written.
struct EncodedNTupleCluster final : EncodedEntries {
  [[nodiscard]] std::size_t bytesBeside() const noexcept override {
    std::size_t sum = rows.capacity() * sizeof rows[0];
    for (const auto& [column, encoded] : columns)
      sum += encoded.capacity() * sizeof encoded[0];
    return sum;
  }

  std::vector<std::uint64_t> rows;                           ///< by table
  std::map<std::uint32_t, std::vector<EncodedPage>> columns; ///< by the schema's column
};

/// Encodes the pages of clusters of one category. For one thread at a time.
class ClusterEncoder {
public:
  /// Pages have 16 times `pageBytes`, at most 64 MiB. `hasWideEnds`: see indexTypeFor().
  ClusterEncoder(Compression codec, std::size_t pageBytes, bool hasWideEnds = false);

  /// Encodes all pages of a batch. The tables of `schema` are those of the batch, each column
  /// stored separately.
  void encode(const Schema& schema, const Batch& batch, EncodedNTupleCluster& cluster);

  /// Encodes pages of a column for a cluster that was written without it. Its `rows` rows get the
  /// value for missing members, or `presence`. The pages are appended to `pages`.
  [[nodiscard]] std::vector<EncodedPage> encodeMissing(const Schema& schema, std::uint32_t column,
                                                       std::uint64_t rows, std::byte presence,
                                                       Buffer& pages);

private:
  struct RowRange {
    std::size_t first, last;
    [[nodiscard]] std::size_t size() const noexcept { return last - first; }
  };
  [[nodiscard]] static std::vector<RowRange> rowsOf(const Schema& schema, const Batch& batch);
  [[nodiscard]] std::size_t roomFor(const Schema& schema, std::span<const RowRange> ranges) const;
  template <class Collect>
  std::vector<EncodedPage> encodePages(const Schema& schema, std::uint32_t column, std::size_t rows,
                                       Buffer& pages, Collect collect);
  [[nodiscard]] EncodedPage encodePage(const Schema& schema, std::uint32_t column,
                                       const std::byte* values, std::size_t elements,
                                       Buffer& pages);
  [[nodiscard]] NTupleColumnType typeOf(const Schema& schema, const Column& column) const noexcept;
  [[nodiscard]] const std::byte* collectEnds(const TableView& table, RowRange parents);

  Compression m_codec;
  std::size_t m_pageBytes;
  bool m_hasWideEnds;
  Buffer m_values, m_scratch, m_elements; // of a page
};

/// The size of a column's elements, and the number of elements in each row.
struct ElementForm {
  std::uint32_t size = 0; ///< bytes in memory
  std::uint32_t perRow = 1;
};
[[nodiscard]] ElementForm elementFormOf(const Schema& schema, std::uint32_t column) noexcept;

} // namespace kaon::root
