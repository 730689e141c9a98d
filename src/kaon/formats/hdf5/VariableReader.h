#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/hdf5/DatasetReader.h>
#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/GlobalHeap.h>
#include <kaon/formats/hdf5/StoredDataset.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace kaon::hdf5 {

/// Reads rows of a dataset that differ in length, for one reader. libhdf5 has no part in it: it
/// does not compare how many elements a row says it has with how many there are. Heaps are kept, as
/// far as they are not too large: neighbouring rows mostly have the same ones.
class VariableReader {
public:
  /// All of them outlive it; `name` is the category's, for messages. `places` reads the rows as
  /// bytes: of records those with all of their members.
  VariableReader(const StoredDataset& dataset, DatasetReader& places, SourceBytes& file,
                 const std::string& name)
      : m_dataset(dataset), m_places(places), m_file(file), m_name(name) {}

  /// Replaces `offsets` by where the elements of each of the rows [first, last) begin, and where
  /// the last ones end, 32 bits each, and `values` by the elements. Throws Error(corrupt).
  void read(std::uint64_t first, std::uint64_t last, Buffer& offsets, Buffer& values);

private:
  [[nodiscard]] std::span<const std::byte> textIn(std::span<const std::byte> row) const;
  [[nodiscard]] std::span<const std::byte> objectOf(std::span<const std::byte> row,
                                                    std::uint64_t number);
  [[nodiscard]] const HeapObjects& heapAt(std::uint64_t position, std::uint64_t row);
  [[noreturn]] void failRow(std::uint64_t row, std::string_view what) const;

  const StoredDataset& m_dataset;
  DatasetReader& m_places;
  SourceBytes& m_file;
  const std::string& m_name;
  struct Heap {
    Buffer bytes; // if they do not lie in memory anyway
    HeapObjects objects;
  };
  Buffer m_rows, m_scratch;
  std::map<std::uint64_t, Heap> m_heaps; // by their positions
  std::uint64_t m_heapBytes = 0;         // of all of them
};

} // namespace kaon::hdf5
