#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kaon {

/// Some entries of a source, numbered from 0. The others are never read.
class SelectedSource final : public Source {
public:
  /// The source must outlive this object.
  SelectedSource(const Source& source, const EntrySelection& entries);

  [[nodiscard]] const std::string& name() const noexcept override { return m_source.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_source.schema(); }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_picked.size(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_clusters; }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_source.unreadable();
  }

private:
  const Source& m_source;
  std::vector<std::uint64_t> m_picked; // the numbers of the entries in the source
  std::vector<EntryRange> m_clusters;
};

} // namespace kaon
