#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace kaon {

/// The tables of several schemas. UnitedBatch gives batches of each schema these tables.
class SchemaUnion {
public:
  /// Adds the tables of a schema that the union lacks, and returns the number of each table in the
  /// union. Layouts, groups, uses (tags and keys) and texts are those of the first schema with the
  /// table. Throws Error(usage) for tables with the same name but different members; the union
  /// stays as it was. This happens for files of different versions of a model. Does not add tables
  /// in `leftOut`, and tables under them; their number is Table::none.
  [[nodiscard]] std::vector<std::uint32_t> add(const Schema& schema,
                                               std::span<const std::uint32_t> leftOut = {});
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }

private:
  Schema m_schema;
};

/// A batch with the tables of a union. Its references lead to the same collections, by their
/// numbers in the union. References to collections that were left out lead to no object. Tables
/// that the batch lacks are absent; values and decorations have the missing values of their
/// members. Missing positions of objects (see Provenance.h) are the present positions. The object
/// owns the data that differ from the batch. All else points into the batch. The batch and the
/// union's schema must outlive it.
class UnitedBatch {
public:
  /// `numbers` is the result of SchemaUnion::add() for the batch's schema, or for a schema that
  /// begins with the same tables. Throws Error(usage) if the batch lacks members of relations, and
  /// Error(corrupt) for a reference to a collection that the schema lacks.
  UnitedBatch(const Batch& batch, std::span<const std::uint32_t> numbers, const Schema& schema);
  UnitedBatch(const UnitedBatch&) = delete;
  UnitedBatch& operator=(const UnitedBatch&) = delete;
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  void fillMissing(TableNumber table);
  void renumber(std::uint32_t relation, std::span<const std::uint32_t> numbers);

  Batch m_batch;
  std::list<std::vector<std::uint32_t>> m_offsets;
  std::list<Buffer> m_values;
};

} // namespace kaon
