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

/// Reads rows of variable length of a dataset, for one reader. It does not read heaps through
/// libhdf5, which does not compare the number of elements in a row with the size of the heap's
/// object. Heaps are kept up to a limit, because neighbouring rows usually share them.
class VariableReader {
public:
  /// The arguments must outlive the reader. `name` is the category's, for messages. `places` reads
  /// rows as bytes. Rows of records have the bytes of all members.
  VariableReader(const StoredDataset& dataset, DatasetReader& places, SourceBytes& file,
                 const std::string& name)
      : m_dataset(dataset), m_places(places), m_file(file), m_name(name) {}

  /// Reads the rows [first, last). Replaces `values` by their elements. Replaces `offsets` by the
  /// 32-bit start of each row's elements, and the end of the last. Throws Error(corrupt).
  void read(std::uint64_t first, std::uint64_t last, Buffer& offsets, Buffer& values);

private:
  [[nodiscard]] std::span<const std::byte> textIn(std::span<const std::byte> row) const;
  [[nodiscard]] std::span<const std::byte> objectOf(std::span<const std::byte> row,
                                                    std::uint64_t number);
  [[nodiscard]] std::span<const std::byte> pathOf(std::span<const std::byte> row,
                                                  std::uint64_t number);
  [[nodiscard]] const HeapObjects& heapAt(std::uint64_t position, std::uint64_t row);
  [[noreturn]] void failRow(std::uint64_t row, std::string_view what) const;

  const StoredDataset& m_dataset;
  DatasetReader& m_places;
  SourceBytes& m_file;
  const std::string& m_name;
  struct Heap {
    Buffer bytes; // empty if the file is in memory
    HeapObjects objects;
  };
  Buffer m_rows, m_scratch;
  std::map<std::uint64_t, Heap> m_heaps;     // by position
  std::uint64_t m_heapBytes = 0;             // of all of them
  std::map<hobj_ref_t, std::string> m_paths; // of objects, by address
};

} // namespace kaon::hdf5
