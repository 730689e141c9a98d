#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <vector>

namespace kaon {

/// The tables of a SchemaUnion as sources can have them whatever their own layouts and groups are:
/// each column and each root table lies by itself.
[[nodiscard]] Schema separated(const Schema& united);

/// A source with the tables of a union. Those that it lacks are absent, values and decorations are
/// what their members are where they are missing; references lead to the same collections, by their
/// numbers in the union.
class UnitedSource final : public Source {
public:
  /// The source, and a schema that separated() returned, outlive it. `numbers` is what
  /// SchemaUnion::add() returned for the source's schema.
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
  std::vector<std::uint32_t> m_numbers; // in the union, of each table of the source
  std::vector<std::uint32_t> m_own;     // in the source, of each table of the union
};

} // namespace kaon
