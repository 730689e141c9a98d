#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/hdf5/ChunkFilters.h>
#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/StoredDataset.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kaon::hdf5 {

/// Reads rows of a dataset for one reader. It keeps the rows of the last chunk, or of all chunks
/// that lie beside each other where rows are cut into several. libhdf5 only says where chunks are:
/// they are decoded without its lock.
class DatasetReader {
public:
  /// All of them outlive it; `name` is the category's, for messages.
  DatasetReader(const StoredDataset& dataset, SourceBytes& file, const std::string& name)
      : m_dataset(dataset), m_file(file), m_name(name) {}

  /// Copies this part of each of the rows [first, last) to `out`, one behind the other. Throws
  /// Error(corrupt) for what does not decode.
  void read(std::uint64_t first, std::uint64_t last, RowPart part, std::span<std::byte> out);

  /// Adds where these rows lie in the file, as far as libhdf5 can tell.
  void addRanges(std::uint64_t first, std::uint64_t last, std::vector<io::ByteRange>& ranges) const;

  /// Where these rows lie in memory as they are wanted, null if they do not.
  [[nodiscard]] const std::byte* find(std::uint64_t first, std::uint64_t last) const;

private:
  void readBlocks(std::uint64_t first, std::uint64_t last, RowPart part, std::span<std::byte> out);
  void readContiguous(std::uint64_t first, std::uint64_t last, RowPart part,
                      std::span<std::byte> out);
  void addChunks(std::uint64_t block, std::vector<io::ByteRange>& ranges) const;
  void loadBlock(std::uint64_t block, std::span<std::byte> out);
  void loadChunk(std::span<const hsize_t> begin, std::span<std::byte> out);
  void convert(std::span<std::byte> bytes, std::size_t values);
  [[noreturn]] void failCall(std::uint64_t firstRow, const std::string& what) const;
  [[noreturn]] void failChunk(std::uint64_t firstRow, std::string_view what) const;

  const StoredDataset& m_dataset;
  SourceBytes& m_file;
  const std::string& m_name;
  ChunkDecoder m_decoder;
  Buffer m_block; // rows of the last block, as they are in memory
  std::uint64_t m_blockNumber = ~std::uint64_t{0};
  Buffer m_stored, m_chunk, m_background;
};

} // namespace kaon::hdf5
