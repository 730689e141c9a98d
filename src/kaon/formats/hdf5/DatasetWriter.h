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

/// The properties of a new dataset.
struct DatasetPlan {
  std::string path; ///< "/events/MCParticles/PDG"
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1; ///< values in a row; above 1, they are a second dimension
  std::string units = {}, description = {};
};

/// Writes a dataset chunk by chunk. The file gets the dataset with its first chunk, or at the end.
/// A short dataset is one chunk of its size. For one thread at a time.
class DatasetWriter {
public:
  /// `chunkBytes` is the size of a chunk before encoding. Level 0 stores chunks unencoded.
  DatasetWriter(DatasetPlan plan, std::size_t chunkBytes, int level);

  [[nodiscard]] const std::string& path() const noexcept { return m_plan.path; }
  /// Adds rows; `rows` has the bytes of whole rows.
  void append(std::span<const std::byte> rows) { m_rows.append(rows); }
  /// Adds `rows` rows. Each value has the bytes of `value`.
  void appendRepeated(std::uint64_t value, std::size_t rows);
  [[nodiscard]] std::size_t rowBytes() const noexcept { return m_rowBytes; }

  /// Encodes full chunks. Needs no lock, so several datasets can be encoded at the same time.
  void encode();
  /// Writes encoded chunks. Call it under the lock. Throws Error(io) with `where`.
  void write(hid_t file, const std::string& where);
  /// Writes the remaining rows. Call it under the lock.
  void finish(hid_t file, const std::string& where);

private:
  void create(hid_t file, std::uint64_t rows, bool isWhole, const std::string& where);
  void writeChunk(const EncodedChunk& chunk, std::uint64_t rows, const std::string& where);
  [[nodiscard]] EncodedChunk encoded(std::span<const std::byte> chunk) const;

  DatasetPlan m_plan;
  std::size_t m_rowBytes;
  std::size_t m_chunkRows;
  int m_level;
  Buffer m_rows; // not in a chunk yet
  std::vector<EncodedChunk> m_encoded;
  Hdf5Handle m_dataset;
  std::uint64_t m_written = 0; // rows in full chunks
};

} // namespace kaon::hdf5
