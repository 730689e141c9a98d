#pragma once

#include <kaon/model/StorageRules.h>
#include <kaon/writing/BatchBuilder.h>
#include <kaon/writing/BatchWriter.h>
#include <kaon/writing/SharedTables.h>

#include <cstdint>
#include <vector>

namespace kaon {

/// The tables of the category that a builder gathers. They are shared between threads: a table that
/// another thread has added gets the same number here. For one thread at a time.
class CategoryTables {
public:
  /// The arguments must outlive this object.
  CategoryTables(const detail::StorageRules& rules, detail::BatchBuilder& builder,
                 detail::SharedTables& shared)
      : m_rules(rules), m_builder(builder), m_shared(shared) {}

  [[nodiscard]] const Schema& schema() const noexcept { return m_builder.schema(); }
  [[nodiscard]] const detail::StorageRules& rules() const noexcept { return m_rules; }

  /// Returns the number of a root table. Adds the root table and the tables under it if they are
  /// missing; their parents are given as positions in `tables`. Throws Error(type) if another table
  /// has this name. Throws Error(usage) if one of its members is to be a key but earlier frames
  /// lack it.
  [[nodiscard]] std::uint32_t define(const std::vector<TableDefinition>& tables);
  /// Adds the tables that other threads have added.
  void catchUp();

  void countFrame() noexcept { ++m_frames; }
  [[nodiscard]] bool hasFrames() const noexcept { return m_frames > 0; }

private:
  [[nodiscard]] TableNumber find(const std::vector<TableDefinition>& tables) const;
  [[nodiscard]] TableNumber add(const std::vector<TableDefinition>& tables, bool isThere);
  void addShared();
  void checkNotLate(const TableDefinition& table) const;

  const detail::StorageRules& m_rules;
  detail::BatchBuilder& m_builder;
  detail::SharedTables& m_shared;
  std::uint64_t m_frames = 0;
};

/// Throws Error(type), which says that the table was different in earlier frames.
[[noreturn]] void failDifferent(const TableDefinition& table, const Table& known);

} // namespace kaon
