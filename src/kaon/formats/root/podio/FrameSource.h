#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/podio/FrameTables.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::root::podio {

/// A category of podio's as kaon's tables. The stored source must outlive it.
class FrameSource final : public Source {
public:
  FrameSource(const Source& stored, FrameTables tables)
      : m_stored(stored), m_tables(std::move(tables)) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_stored.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_tables.schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_stored.entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_stored.clusters(); }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;
  [[nodiscard]] std::optional<ColumnUsage> usage(ColumnNumber column) const override;
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_stored.unreadable();
  }

private:
  [[nodiscard]] std::vector<std::uint32_t> ownColumns(const PodioOrigin& origin) const;

  const Source& m_stored;
  FrameTables m_tables;
};

} // namespace kaon::root::podio
