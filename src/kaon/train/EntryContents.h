#pragma once

#include <kaon/batch/Provenance.h>
#include <kaon/model/StorageRules.h>
#include <kaon/selecting/SchemaUnion.h>
#include <kaon/selecting/SelectedRows.h>

#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

/// Returns the names of the decorations "provenance" of collections that are not thinned. They
/// store positions of objects in the parents of these files, which are not the parents of the new
/// file.
[[nodiscard]] std::vector<std::string> placesInParents(std::span<const Schema> files,
                                                       const std::vector<std::string>& thinned);

/// The contents that an output has of each entry of a dataset: some tables and members, and where
/// the entry came from. Any thread.
class EntryContents {
public:
  /// Keeps the root tables `kept` of the files' schemas, or all if it is empty, without `dropped`:
  /// root tables, tables under them, and members. Throws Error(name), with a suggestion, for
  /// unknown names. Throws Error(usage) for parts that the rest needs to be readable, and for
  /// tables that differ between files.
  EntryContents(std::span<const Schema> files, const std::vector<std::string>& kept,
                const std::vector<std::string>& dropped);
  /// Holds no tables.
  EntryContents() = default;
  /// Adds the two values of batch/Provenance.h. Also adds a decoration "provenance" to the
  /// collections in `thinned`, which lose some objects: the position of each object in its original
  /// entry. Throws Error(usage) if the files use these names for other data.
  void addProvenance(const std::vector<std::string>& thinned);
  /// Lays out the tables as a writer's options specify.
  void layOut(const detail::StorageRules& rules) { m_schema = detail::schemaBy(rules, m_schema); }

  [[nodiscard]] bool hasProvenance() const noexcept { return m_hasProvenance; }
  /// Whether a table stores where entries or objects come from, whatever the files have.
  [[nodiscard]] bool isOfProvenance(const Table& table) const;
  /// Whether any data of the files are written.
  [[nodiscard]] bool hasTables() const noexcept { return m_tables.schema().size() > 0; }
  /// Returns the tables of the output.
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  /// Whether the output has entries with these tables unchanged, except for added provenance.
  [[nodiscard]] bool holdsAllOf(const Schema& schema) const;
  /// Returns the number that each table of a file has in the output; Table::none for tables that
  /// are not written. Throws Error(usage) if they differ from those of the other files.
  [[nodiscard]] std::vector<std::uint32_t> numbersOf(const Schema& schema) const;

private:
  friend class WrittenEntries;

  SchemaUnion m_tables;
  std::vector<std::string> m_leftOut;        // names of tables
  std::vector<TableMember> m_droppedMembers; // in m_tables, sorted
  bool m_hasProvenance = false;
  Schema m_schema;
};

/// The selected objects of a collection: one value for each of its rows in a batch.
struct TakenObjects {
  std::string collection;
  std::vector<std::uint8_t> isTaken; ///< 0 or 1
  LostReference lost = LostReference::becomesNone;
};

/// A batch of a file in the form that is written. It owns the data that differ and otherwise points
/// into the batch. The batch and the contents must outlive it.
class WrittenEntries {
public:
  /// Throws the errors of EntryContents, UnitedBatch and SelectedRows.
  WrittenEntries(const EntryContents& contents, const Batch& batch,
                 std::span<const std::uint32_t> numbers, std::span<const TakenObjects> taken);
  WrittenEntries(const WrittenEntries&) = delete;
  WrittenEntries& operator=(const WrittenEntries&) = delete;
  [[nodiscard]] const Batch& batch() const noexcept { return *m_batch; }

private:
  void addPlaces(const Batch& batch, const TakenObjects& objects);

  UnitedBatch m_united;
  std::list<SelectedRows> m_taken;
  std::list<std::vector<std::uint32_t>> m_places; // positions of objects in their entries
  Batch m_slim;
  std::optional<BatchWithProvenance> m_withProvenance;
  const Batch* m_batch = nullptr; // one of these
};

} // namespace kaon
