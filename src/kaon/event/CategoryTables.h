#pragma once

#include <kaon/batch/BatchBuilder.h>
#include <kaon/batch/BatchWriter.h>
#include <kaon/model/StorageRules.h>

#include <cstdint>
#include <vector>

namespace kaon {

/// The tables of the category that a builder gathers: those that other threads add for theirs get
/// the same numbers. For one thread at a time.
class CategoryTables {
public:
  /// All of them outlive it.
  CategoryTables(const StorageRules& rules, BatchBuilder& builder, SharedTables& shared)
      : m_rules(rules), m_builder(builder), m_shared(shared) {}

  [[nodiscard]] const Schema& schema() const noexcept { return m_builder.schema(); }
  [[nodiscard]] const StorageRules& rules() const noexcept { return m_rules; }

  /// The number of a root table; it and those under it are added unless they are there already. The
  /// parents of these are given by their places among them. Throws Error(type) if there is another
  /// of the name, Error(usage) if a member of it is to be a key and earlier frames lack it.
  [[nodiscard]] std::uint32_t define(const std::vector<TableDefinition>& tables);
  /// Adds the tables that other threads have added.
  void catchUp();

  void countFrame() noexcept { ++m_frames; }
  [[nodiscard]] bool hasFrames() const noexcept { return m_frames > 0; }

private:
  [[nodiscard]] std::uint32_t find(const std::vector<TableDefinition>& tables) const;
  [[nodiscard]] std::uint32_t add(const std::vector<TableDefinition>& tables, bool isThere);
  void addShared();
  void checkNotLate(const TableDefinition& table) const;

  const StorageRules& m_rules;
  BatchBuilder& m_builder;
  SharedTables& m_shared;
  std::uint64_t m_frames = 0;
};

/// A root table and those under it, their parents given by their places.
[[nodiscard]] std::vector<TableDefinition> definitionsUnder(const Schema& schema,
                                                            std::uint32_t root);

/// Throws Error(type): the table was another one in earlier frames.
[[noreturn]] void failDifferent(const TableDefinition& table, const Table& known);

} // namespace kaon
