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

/// Reads rows of a dataset for one reader. It keeps a block of rows: those of the last chunk, or of
/// all chunks side by side if several chunks make up a row. libhdf5 only finds the chunks, and kaon
/// decodes them without its lock; except chunks with filters that only libhdf5 undoes.
class DatasetReader {
public:
  /// The arguments must outlive the reader. `name` is the category's, for messages. `keepsTwo`
  /// keeps two blocks. Use it for several callers that advance to the next block at different
  /// times.
  DatasetReader(const StoredDataset& dataset, SourceBytes& file, const std::string& name,
                bool keepsTwo = false)
      : m_dataset(dataset), m_file(file), m_name(name), m_keepsTwo(keepsTwo) {}

  /// Copies this part of each of the rows [first, last) to `out`, without gaps. Throws
  /// Error(corrupt) for chunks that do not decode.
  void read(std::uint64_t first, std::uint64_t last, RowPart part, std::span<std::byte> out);

  /// Adds the places of these rows in the file, if libhdf5 knows them.
  void addRanges(std::uint64_t first, std::uint64_t last, std::vector<io::ByteRange>& ranges) const;

  /// Returns these rows if memory has them in their final form, otherwise null.
  [[nodiscard]] const std::byte* find(std::uint64_t first, std::uint64_t last) const;

private:
  struct Block {
    std::uint64_t number = ~std::uint64_t{0};
    Buffer rows; ///< in their form in memory
  };
  [[nodiscard]] const Buffer& rowsOf(std::uint64_t block);
  void readBlocks(std::uint64_t first, std::uint64_t last, RowPart part, std::span<std::byte> out);
  void readContiguous(std::uint64_t first, std::uint64_t last, RowPart part,
                      std::span<std::byte> out);
  void addChunks(std::uint64_t block, std::vector<io::ByteRange>& ranges) const;
  void loadBlock(std::uint64_t block, std::span<std::byte> out);
  void loadChunk(std::span<const hsize_t> begin, std::span<std::byte> out);
  void loadThroughLibrary(std::span<const hsize_t> begin, std::span<std::byte> out);
  void convert(std::span<std::byte> bytes, std::size_t values);
  [[noreturn]] void failCall(std::uint64_t firstRow, const std::string& what) const;
  [[noreturn]] void failChunk(std::uint64_t firstRow, std::string_view what) const;

  const StoredDataset& m_dataset;
  SourceBytes& m_file;
  const std::string& m_name;
  ChunkDecoder m_decoder;
  bool m_keepsTwo;
  Block m_block, m_other; // the last block and the one before
  Buffer m_stored, m_chunk, m_background;
};

/// Returns the last of the 64-bit unsigned integers of a dataset with rows. Throws Error(corrupt).
[[nodiscard]] std::uint64_t lastOf(const StoredDataset& offsets, SourceBytes& file,
                                   const std::string& name);

} // namespace kaon::hdf5
