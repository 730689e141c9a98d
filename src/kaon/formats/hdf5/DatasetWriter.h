#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/hdf5/ChunkFilters.h>
#include <kaon/formats/hdf5/Library.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kaon::hdf5 {

/// What a dataset is to be.
struct DatasetPlan {
  std::string path; ///< "/events/MCParticles/PDG"
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1; ///< values in a row: more than one are a second dimension
  std::string units = {}, description = {};
};

/// Writes a dataset, chunk by chunk. It appears in the file with its first chunk, or at the end: a
/// short one is a chunk of just its size. For one thread at a time.
class DatasetWriter {
public:
  /// `chunkBytes` are those of a chunk before it is encoded; level 0: as they are.
  DatasetWriter(DatasetPlan plan, std::size_t chunkBytes, int level);

  [[nodiscard]] const std::string& path() const noexcept { return m_plan.path; }
  /// Rows are added: bytes of whole ones.
  void append(std::span<const std::byte> rows) { m_rows.append(rows); }
  /// As many rows of which each value is these bytes.
  void appendRepeated(std::uint64_t value, std::size_t rows);
  [[nodiscard]] std::size_t rowBytes() const noexcept { return m_rowBytes; }

  /// Encodes chunks that are full. Needs no lock: datasets can be encoded at the same time.
  void encode();
  /// Writes what was encoded. Under the lock. Throws Error(io), with `where`.
  void write(hid_t file, const std::string& where);
  /// Writes the rest. Under the lock.
  void finish(hid_t file, const std::string& where);

private:
  void create(hid_t file, std::uint64_t rows, bool isWhole, const std::string& where);
  void writeChunk(const EncodedChunk& chunk, std::uint64_t rows, const std::string& where);
  [[nodiscard]] EncodedChunk encoded(std::span<const std::byte> chunk) const;

  DatasetPlan m_plan;
  std::size_t m_rowBytes;
  std::size_t m_chunkRows;
  int m_level;
  Buffer m_rows; // that are in no chunk yet
  std::vector<EncodedChunk> m_encoded;
  Handle m_dataset;
  std::uint64_t m_written = 0; // rows in chunks that are full
};

} // namespace kaon::hdf5
