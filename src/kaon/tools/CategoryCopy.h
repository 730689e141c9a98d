#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/BatchWriter.h>
#include <kaon/batch/MissingValues.h>
#include <kaon/batch/SchemaUnion.h>
#include <kaon/batch/Source.h>
#include <kaon/model/StorageRules.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon {

/// How entries came to another file.
struct WrittenEntryCounts {
  std::uint64_t copied = 0; ///< as they were stored
  std::uint64_t joined = 0; ///< encoded again, as their clusters were small
};

/// A category of one or several files on its way to another file, laid out by rules: the entries of
/// one file go behind those of another. For one thread at a time.
class CategoryCopy {
public:
  /// The rules outlive it.
  CategoryCopy(std::string name, const StorageRules& rules)
      : m_name(std::move(name)), m_rules(rules) {}

  /// Adds the entries of a source, which outlives it. Throws Error(usage) if its tables do not fit
  /// those of earlier ones, or the rules do not fit the data.
  void add(const Source& source);
  /// Leaves out what of schema() is lost: members, or tables with what lies under them, to which
  /// references lead nowhere. Members that keep their values in another type get that.
  void lose(const std::vector<Loss>& losses);

  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  /// The tables of the copy: they keep the numbers that the first source gave them.
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept;
  /// Whether an entry is without a collection of schema(), which takes reading that of all.
  [[nodiscard]] bool isSomewhereAbsent(std::uint32_t collection) const;
  /// The first entry that has more than these bytes of a table of schema(), for messages: "entry 7
  /// of events.kaon:events has 20000000 bytes"; "" if there is none, or a file does not say how
  /// many rows it has unless it is read.
  [[nodiscard]] std::string entryWithMoreBytes(std::uint32_t table, std::uint64_t most) const;

  void write(BatchWriter& out, ProgressCount& progress) const;
  /// The same with clusters copied as they are stored, of sources that have the first of these
  /// tables or all and are of the format of the writer's sink, which is that of .kaon files. Small
  /// clusters that follow each other are joined. Returns how many entries were written how.
  WrittenEntryCounts writeStored(BatchWriter& out, Sink& sink, ProgressCount& progress) const;

private:
  struct Part {
    const Source* source;
    std::vector<std::uint32_t> numbers; // of its tables in the union
  };
  void begin(BatchWriter& out) const;
  class StoredWriting;
  void encode(const Part& part, BatchWriter& out, ProgressCount& progress) const;
  void encode(const Part& part, const Batch& batch, BatchWriter& out,
              ProgressCount& progress) const;
  [[nodiscard]] Schema schemaOfCopy() const;
  [[nodiscard]] TableDefinition definitionOfCopy(std::uint32_t number) const;
  [[nodiscard]] bool hasAllTables(const Part& part) const;
  void checkPrecision(const Source& source, const std::vector<std::uint32_t>& numbers) const;
  [[nodiscard]] Batch withTablesOfCopy(const Batch& batch, const std::string& file,
                                       std::vector<Buffer>& converted) const;
  void checkSingle(const Batch& batch, std::uint32_t parameter, const std::string& file) const;

  std::string m_name;
  const StorageRules& m_rules;
  std::vector<Part> m_parts;
  MissingValues m_missing;
  SchemaUnion m_union;
  std::map<std::uint32_t, std::vector<Loss>> m_lostMembers; // by table
  Schema m_schema;
};

} // namespace kaon
