#pragma once

#include <kaon/batch/Provenance.h>
#include <kaon/batch/SchemaUnion.h>
#include <kaon/batch/Taking.h>
#include <kaon/model/StorageRules.h>

#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

/// The decorations "provenance" of collections other than these. They tell the places that objects
/// had in the parents of the files, which are no longer the next ones.
[[nodiscard]] std::vector<std::string> placesInParents(std::span<const Schema> files,
                                                       const std::vector<std::string>& thinned);

/// What a file holds of each entry of a dataset: some of its tables and members, and where it came
/// from. Any thread.
class EntryContents {
public:
  /// Of the schemas that the files have the root tables `kept`, all if there are none, without
  /// `dropped`: root tables, tables under them, members. Throws Error(name), with a suggestion, for
  /// what there is not, Error(usage) for parts without which the rest could not be read, and for
  /// tables that are not the same in all files.
  EntryContents(std::span<const Schema> files, const std::vector<std::string>& kept,
                const std::vector<std::string>& dropped);
  /// No tables at all.
  EntryContents() = default;
  /// With the two values of batch/Provenance.h as well; and of these collections, of which not all
  /// objects are taken, with a decoration "provenance": what place each had in its entry. Throws
  /// Error(usage) if the files have something else of these names.
  void addProvenance(const std::vector<std::string>& thinned);
  /// Lets the tables lie as a writer's options say.
  void layOut(const StorageRules& rules) { m_schema = schemaBy(rules, m_schema); }

  [[nodiscard]] bool hasProvenance() const noexcept { return m_hasProvenance; }
  /// Whether a table says where entries or objects come from, whatever the files have.
  [[nodiscard]] bool isOfProvenance(const Table& table) const;
  /// Whether anything of the files is written.
  [[nodiscard]] bool hasTables() const noexcept { return m_tables.schema().size() > 0; }
  /// The tables of what is written.
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  /// Whether entries of these tables are written whole, and nothing but their provenance is added.
  [[nodiscard]] bool holdsAllOf(const Schema& schema) const;
  /// For batches of a file: the numbers of its tables in what is written, Table::none for those
  /// that are not. Throws Error(usage) if they are not the same as in the others.
  [[nodiscard]] std::vector<std::uint32_t> numbersOf(const Schema& schema) const;

private:
  friend class WrittenEntries;

  SchemaUnion m_tables;
  std::vector<std::string> m_leftOut;                                    // tables, by name
  std::vector<std::pair<std::uint32_t, std::uint32_t>> m_droppedMembers; // of m_tables, sorted
  bool m_hasProvenance = false;
  Schema m_schema;
};

/// The objects of a collection that are taken, one value for each of its rows in a batch.
struct TakenObjects {
  std::string collection;
  std::vector<std::uint8_t> isTaken; ///< 0 or 1
  LostReference lost = LostReference::becomesNone;
};

/// A batch of a file as it is written. What differs belongs to it, the rest points into the batch,
/// which must outlive it, as the contents must.
class WrittenEntries {
public:
  /// Throws as EntryContents, UnitedBatch and TakenRows.
  WrittenEntries(const EntryContents& contents, const Batch& batch,
                 std::span<const std::uint32_t> numbers, std::span<const TakenObjects> taken);
  WrittenEntries(const WrittenEntries&) = delete;
  WrittenEntries& operator=(const WrittenEntries&) = delete;
  [[nodiscard]] const Batch& batch() const noexcept { return *m_batch; }

private:
  void addPlaces(const Batch& batch, const TakenObjects& objects);

  UnitedBatch m_united;
  std::list<TakenRows> m_taken;
  std::list<std::vector<std::uint32_t>> m_places; // that objects had in their entries
  Batch m_slim;
  std::optional<BatchWithProvenance> m_withProvenance;
  const Batch* m_batch = nullptr; // one of these
};

} // namespace kaon
