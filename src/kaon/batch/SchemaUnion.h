#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace kaon {

/// The tables of several schemas, which batches of each of them can be given: see UnitedBatch.
class SchemaUnion {
public:
  /// Adds the tables of a schema that are not there yet, and returns what number each of its tables
  /// has in the union. Layouts, groups, uses (tags and keys) and texts are those of the first
  /// schema that has the table. Throws Error(usage) for tables of the same name that hold something
  /// else, as files of different versions of a model have them; the union stays as it was. Tables
  /// in `leftOut`, and those under them, are not added: their number is Table::none.
  [[nodiscard]] std::vector<std::uint32_t> add(const Schema& schema,
                                               std::span<const std::uint32_t> leftOut = {});
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }

private:
  Schema m_schema;
};

/// A batch with the tables of a union. Its references lead to the same collections, by their
/// numbers in the union; to what was left out they lead no more. Tables that the batch does not
/// have are absent, values and decorations are what their members are where they are missing; where
/// objects come from (see Provenance.h) is where they are. What differs from the batch belongs to
/// it; the rest points into the batch, which must outlive it, as the union's schema must.
class UnitedBatch {
public:
  /// `numbers` is what SchemaUnion::add() returned for the batch's schema, or one that begins with
  /// the same tables. Throws Error(usage) if the batch lacks members of relations, Error(corrupt)
  /// for a reference to a collection that the schema does not have.
  UnitedBatch(const Batch& batch, std::span<const std::uint32_t> numbers, const Schema& schema);
  UnitedBatch(const UnitedBatch&) = delete;
  UnitedBatch& operator=(const UnitedBatch&) = delete;
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  void fillMissing(std::uint32_t table);
  void renumber(std::uint32_t relation, std::span<const std::uint32_t> numbers);

  Batch m_batch;
  std::list<std::vector<std::uint32_t>> m_offsets;
  std::list<Buffer> m_values;
};

} // namespace kaon
