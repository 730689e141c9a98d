#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <vector>

namespace kaon {

/// Returns the tables of a SchemaUnion in a form that suits all sources, whatever their layouts and
/// groups: columns and root tables are separate.
[[nodiscard]] Schema separated(const Schema& united);

/// A source with the tables of a union. Tables that it lacks are absent; values and decorations
/// have the missing values of their members. References lead to the same collections, by their
/// numbers in the union.
class UnitedSource final : public Source {
public:
  /// The source, and `schema`, a result of separated(), must outlive this object. `numbers` is the
  /// result of SchemaUnion::add() for the source's schema.
  UnitedSource(const Source& source, const Schema& schema, std::vector<std::uint32_t> numbers);

  [[nodiscard]] const std::string& name() const noexcept override { return m_source.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_source.entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_source.clusters(); }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;

private:
  class Reading;

  const Source& m_source;
  const Schema& m_schema;
  std::vector<std::uint32_t> m_numbers; // of the source's tables, in the union
  std::vector<std::uint32_t> m_own;     // of the union's tables, in the source
};

} // namespace kaon
