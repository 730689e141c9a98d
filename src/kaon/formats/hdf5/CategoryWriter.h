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

/// A batch as datasets will have it, in memory of its own.
struct GatheredBatch final : EncodedBatch {
  struct Rows {
    Buffer offsets;              ///< std::uint32_t; of a counted table
    Buffer present;              ///< a byte an entry; empty: all are there
    std::vector<Buffer> members; ///< their values, rounded
    std::size_t count = 0;
  };
  [[nodiscard]] std::size_t bytes() const noexcept override;

  std::string category;
  Schema schema; ///< each column apart
  std::uint64_t entries = 0;
  std::vector<Rows> tables;
};

/// Gathers a whole batch. Any thread.
[[nodiscard]] std::unique_ptr<GatheredBatch> gather(std::string_view category, const Batch& batch,
                                                    const Schema& split);

/// Writes the group of a category. For one thread at a time.
class CategoryWriter {
public:
  CategoryWriter(std::string name, std::size_t chunkBytes, int level)
      : m_name(std::move(name)), m_chunkBytes(chunkBytes), m_level(level) {}

  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  /// Adds the tables that it does not have yet. Throws Error(usage) if the others differ.
  void addTables(const Schema& split, const std::string& file);
  /// Takes the rows of a batch, whose tables it has. Without the lock. Throws Error(io).
  void append(hid_t file, const GatheredBatch& batch, const std::string& where);
  /// Writes the rest. Under the lock. Throws Error(io).
  void finish(hid_t file, const std::string& where);
  /// Writes what people who look at the file want to know of its groups, when it is finished: the
  /// category is the file's with this number. Under the lock. Throws Error(io).
  void describe(hid_t file, std::uint64_t number, const std::string& where) const;
  /// JSON of its tables, when it is finished.
  [[nodiscard]] std::string schemaDocument() const;

private:
  struct TableWriter {
    std::unique_ptr<DatasetWriter> offsets, present; // null: not of such a table, or not yet
    std::vector<DatasetWriter> members;
    std::uint64_t rows = 0;
  };
  [[nodiscard]] std::uint64_t rowsAbove(std::uint32_t table) const;
  [[nodiscard]] DatasetWriter writerOf(std::uint32_t table, std::string_view dataset,
                                       const MemberDefinition& member) const;
  void beginTable(hid_t file, const std::string& where);
  void appendRows(std::uint32_t table, const GatheredBatch::Rows& rows);
  void appendMissing(hid_t file, std::uint32_t table, std::uint64_t above,
                     std::uint64_t entriesBefore, const std::string& where);
  void ensurePresence(hid_t file, std::uint32_t table, std::uint64_t entriesBefore,
                      const std::string& where);
  [[nodiscard]] std::vector<DatasetWriter*> datasets();

  std::string m_name;
  std::size_t m_chunkBytes;
  int m_level;
  Schema m_schema;
  std::vector<TablePath> m_paths;
  std::vector<TableWriter> m_tables; // the first ones, of which something was written
  std::uint64_t m_entries = 0;
};

} // namespace kaon::hdf5
