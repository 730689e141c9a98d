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

/// A range of bytes in each row.
struct RowPart {
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// A dataset that kaon can read. The first dimension counts rows; a row has the values of all other
/// dimensions. Its properties have been checked against the size of the file.
struct StoredDataset {
  enum class Form : std::uint8_t {
    contiguous, ///< all rows from `position` on
    chunked,    ///< chunks of shape `chunk`, each encoded by the filters
    resident    ///< few rows, held in `values` in their form in memory
  };

  std::string path; ///< "/events/MCParticles/PDG"
  /// The only member of its records that is read: "vertex.label"; otherwise "".
  std::string member;
  Hdf5Handle handle;
  ValueType type;
  std::optional<VariableRows> variable; ///< if set, `type` is bytes
  Form form = Form::resident;
  std::vector<hsize_t> shape; ///< at least one dimension
  std::uint64_t position = 0;
  std::vector<hsize_t> chunk; ///< as many dimensions
  ChunkFilters filters;
  /// Whether libhdf5 undoes the filters of chunks, because kaon does not know all of them.
  bool isUnfilteredByLibrary = false;
  Buffer fill; ///< stored form of a value that was never written
  Buffer values;

  [[nodiscard]] std::uint64_t rows() const noexcept { return shape.front(); }
  /// The number of values in a row.
  [[nodiscard]] std::size_t extent() const noexcept;
  /// The size of a row in memory, and as it is stored.
  [[nodiscard]] std::size_t rowBytes() const noexcept { return extent() * type.size; }
  [[nodiscard]] std::size_t storedRowBytes() const noexcept { return extent() * type.storedSize; }
};

/// The parts of a dataset that kaon reads: the whole dataset; or, for records, their numbers
/// together and each string or list separately.
struct StoredParts {
  std::vector<StoredDataset> parts;
  std::vector<Unreadable> unreadable; ///< members of its records
};

/// Describes a dataset of an open file. Call it under the lock. Throws Error(type) with the reason
/// if kaon cannot read its values: "has no rows, but a single value". The caller reports it.
[[nodiscard]] StoredParts describeParts(const Hdf5Handle& handle, const std::string& path,
                                        const io::ByteSource& file);
/// Describes a dataset without records.
[[nodiscard]] StoredDataset describeDataset(const Hdf5Handle& handle, const std::string& path,
                                            const io::ByteSource& file);

} // namespace kaon::hdf5
