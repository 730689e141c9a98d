#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/Sink.h>
#include <kaon/formats/hdf5/DatasetWriter.h>
#include <kaon/formats/hdf5/TablePaths.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::hdf5 {

/// A copy of a batch in the form that datasets will have.
struct GatheredBatch final : detail::EncodedBatch {
  struct Rows {
    Buffer offsets;              ///< std::uint32_t; counted tables only
    Buffer present;              ///< a byte for each entry; empty if all have the table
    std::vector<Buffer> members; ///< rounded values
    std::size_t count = 0;
  };
  [[nodiscard]] std::size_t bytes() const noexcept override;

  std::string category;
  Schema schema; ///< each column stored separately
  std::uint64_t entries = 0;
  std::vector<Rows> tables;
};

/// Gathers a whole batch. Any thread may call this.
[[nodiscard]] std::unique_ptr<GatheredBatch> gather(std::string_view category, const Batch& batch,
                                                    const Schema& split);

/// Writes the group of a category. For one thread at a time.
class Hdf5CategoryWriter {
public:
  Hdf5CategoryWriter(std::string name, std::size_t chunkBytes, int level)
      : m_name(std::move(name)), m_chunkBytes(chunkBytes), m_level(level) {}

  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  /// Adds the tables that it does not have yet. Throws Error(usage) if the others differ.
  void addTables(const Schema& split, const std::string& file);
  /// Appends the rows of a batch, whose tables must be known. Call it without the lock. Throws
  /// Error(io).
  void append(hid_t file, const GatheredBatch& batch, const std::string& where);
  /// Writes the remaining rows. Call it under the lock. Throws Error(io).
  void finish(hid_t file, const std::string& where);
  /// Writes attributes that explain the groups to users who browse the finished file. `number` is
  /// the category's number in the file. Call it under the lock. Throws Error(io).
  void describe(hid_t file, std::uint64_t number, const std::string& where) const;
  /// Returns the JSON description of the tables, once they are complete.
  [[nodiscard]] std::string schemaDocument() const;

private:
  struct TableWriter {
    // Null if the table does not have them, or not yet.
    std::unique_ptr<DatasetWriter> offsets, present;
    std::vector<DatasetWriter> members;
    std::uint64_t rows = 0;
  };
  [[nodiscard]] std::uint64_t rowsAbove(TableNumber table) const;
  [[nodiscard]] DatasetWriter writerOf(TableNumber table, std::string_view dataset,
                                       const MemberDefinition& member) const;
  void beginTable(hid_t file, const std::string& where);
  void appendRows(TableNumber table, const GatheredBatch::Rows& rows);
  void appendMissing(hid_t file, TableNumber table, std::uint64_t above,
                     std::uint64_t entriesBefore, const std::string& where);
  void ensurePresence(hid_t file, TableNumber table, std::uint64_t entriesBefore,
                      const std::string& where);
  [[nodiscard]] std::vector<DatasetWriter*> datasets();

  std::string m_name;
  std::size_t m_chunkBytes;
  int m_level;
  Schema m_schema;
  std::vector<TablePath> m_paths;
  std::vector<TableWriter> m_tables; // the first tables, which have been written
  std::uint64_t m_entries = 0;
};

} // namespace kaon::hdf5
