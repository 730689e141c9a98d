#pragma once

#include <kaon/base/ProgressCount.h>
#include <kaon/base/Tasks.h>
#include <kaon/batch/Source.h>
#include <kaon/model/StorageRules.h>
#include <kaon/selecting/MissingDecorations.h>
#include <kaon/selecting/SchemaUnion.h>
#include <kaon/writing/BatchWriter.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon {

/// How entries were written to another file.
struct WrittenEntryCounts {
  std::uint64_t copied = 0; ///< in stored form
  std::uint64_t joined = 0; ///< encoded again, because their clusters were small
};

/// Copies a category of one or several files to another file, laid out by rules. The entries of the
/// files follow each other. For one thread at a time.
class CategoryCopy {
public:
  /// The rules must outlive this object.
  CategoryCopy(std::string name, const detail::StorageRules& rules)
      : m_name(std::move(name)), m_rules(rules) {}

  /// Adds the entries of a source, which must outlive this object. Throws Error(usage) if its
  /// tables do not fit those of earlier sources, or the rules do not fit the data.
  void add(const Source& source);
  /// Removes the lost members and tables of schema(), with the tables under them; references to
  /// removed tables become unset. Members that change type get the new type.
  void lose(const std::vector<detail::Loss>& losses);

  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  /// Returns the tables of the copy; they keep the numbers that the first source gave them.
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept;
  /// Whether some entry lacks a collection of schema(). Reads its presence in all entries.
  [[nodiscard]] bool isSomewhereAbsent(TableNumber collection) const;
  /// Returns a message about the first entry with more than `most` bytes of a table of schema():
  /// "entry 7 of events.kaon:events has 20000000 bytes". Returns "" if all entries have fewer, or
  /// if a file knows its number of rows only by reading them.
  [[nodiscard]] std::string entryWithMoreBytes(TableNumber table, std::uint64_t most) const;

  void write(BatchWriter& out, ProgressCount& progress) const;
  /// As write(), but copies stored clusters. The sources must have all of these tables or the first
  /// of them, and the format of the writer's sink, which must be .kaon. Consecutive small clusters
  /// are joined. Returns how many entries were written in each way.
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
  const detail::StorageRules& m_rules;
  std::vector<Part> m_parts;
  detail::MissingDecorations m_missing;
  SchemaUnion m_union;
  std::map<std::uint32_t, std::vector<detail::Loss>> m_lostMembers; // by table
  Schema m_schema;
};

} // namespace kaon
