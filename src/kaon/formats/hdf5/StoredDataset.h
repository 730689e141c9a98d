#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/hdf5/ChunkFilters.h>
#include <kaon/formats/hdf5/Library.h>
#include <kaon/formats/hdf5/ValueType.h>
#include <kaon/formats/hdf5/VariableRows.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kaon::hdf5 {

/// Some bytes of each row.
struct RowPart {
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// A dataset of which kaon can read the values: rows along the first dimension, in each of which
/// are the values of all others. What it says of itself has been checked against the file's size.
struct StoredDataset {
  enum class Form : std::uint8_t {
    contiguous, ///< all rows from `position` on
    chunked,    ///< chunks of `chunk`, each through the filters
    resident    ///< few: in `values`, as they are in memory
  };

  std::string path;   ///< "/events/MCParticles/PDG"
  std::string member; ///< of its records, which alone this is of: "vertex.label"; else ""
  Handle handle;
  ValueType type;
  std::optional<VariableRows> variable; ///< then `type` is bytes
  Form form = Form::resident;
  std::vector<hsize_t> shape; ///< at least one dimension
  std::uint64_t position = 0;
  std::vector<hsize_t> chunk; ///< as many dimensions
  ChunkFilters filters;
  Buffer fill; ///< a value as it is stored where nothing was written
  Buffer values;

  [[nodiscard]] std::uint64_t rows() const noexcept { return shape.front(); }
  /// Values in a row.
  [[nodiscard]] std::size_t extent() const noexcept;
  /// Bytes of a row in memory, and as it is stored.
  [[nodiscard]] std::size_t rowBytes() const noexcept { return extent() * type.size; }
  [[nodiscard]] std::size_t storedRowBytes() const noexcept { return extent() * type.storedSize; }
};

/// What kaon reads of a dataset: all of it, or of records their numbers, and each string or list of
/// theirs by itself.
struct DatasetParts {
  std::vector<StoredDataset> parts;
  std::vector<Unreadable> unreadable; ///< members of its records
};

/// Describes a dataset of an open file. Under the lock. Throws Error(type) with the reason, for who
/// reports it, if kaon cannot read its values: "has no rows, but a single value".
[[nodiscard]] DatasetParts describeParts(const Handle& handle, const std::string& path,
                                         const io::ByteSource& file);
/// Describes a dataset that has no records.
[[nodiscard]] StoredDataset describeDataset(const Handle& handle, const std::string& path,
                                            const io::ByteSource& file);

} // namespace kaon::hdf5
