#pragma once

#include <kaon/batch/Source.h>
#include <kaon/selecting/CommonTables.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// A source with common tables. Its own tables keep their numbers, and pages their entries.
class CommonSource final : public Source {
public:
  /// The source must outlive this object.
  CommonSource(const Source& source, const CommonTables& tables);

  [[nodiscard]] const std::string& name() const noexcept override { return m_source.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_source.entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_source.clusters(); }
  [[nodiscard]] std::unique_ptr<Cursor> cursor() const override;
  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 std::size_t cluster) const override;
  [[nodiscard]] std::vector<Extremes> extremesOfClusters(TableNumber table,
                                                         MemberNumber member) const override;
  [[nodiscard]] std::optional<ColumnUsage> usage(ColumnNumber column) const override;
  [[nodiscard]] const Source* sortedKeys() const noexcept override;
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_source.unreadable();
  }

private:
  class Reading;
  enum class Origin { stored, present, missing };
  struct MemberOrigin {
    Origin origin = Origin::missing;
    MemberNumber member = 0; // of the source's table, if it is stored
  };
  struct ColumnOrigin {
    Origin origin = Origin::missing;
    ColumnNumber column = 0;               // of the source, if it is stored
    std::optional<std::uint32_t> inRows{}; // the member, if the column has whole rows
  };
  /// The tables under construction.
  struct Tables {
    std::vector<TableDefinition> definitions;
    std::vector<std::vector<MemberOrigin>> members;
  };

  void replace(const DeclaredTables& common, TableNumber root, Tables& tables) const;
  [[nodiscard]] TableDefinition placed(TableDefinition common, std::uint32_t own) const;
  [[nodiscard]] static std::vector<MemberOrigin>
  originsOf(const CommonTable& common, const DeclaredTables& own, TableNumber table);
  [[nodiscard]] ColumnOrigin originOf(const Column& column,
                                      const std::vector<MemberOrigin>& members) const;
  [[nodiscard]] const ColumnOrigin& originOf(TableNumber table, MemberNumber member) const {
    return m_columns[m_schema.place(table, member).column];
  }
  [[nodiscard]] std::optional<std::uint32_t> storedMember(TableNumber table,
                                                          MemberNumber member) const;

  const Source& m_source;
  Schema m_schema; // begins with the source's tables
  std::vector<ColumnOrigin> m_columns;
};

} // namespace kaon::detail
