#pragma once

#include <kaon/batch/Source.h>
#include <kaon/batch/StoredEntries.h>
#include <kaon/formats/hipo/HipoContents.h>
#include <kaon/formats/hipo/StoredEvents.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon::hipo {

/// The events of a HIPO file as columns. It must not outlive its container.
class HipoSource final : public Source, public StoredEntries {
public:
  /// Throws Error(io).
  explicit HipoSource(const HipoContainer& container) : m_contents(container) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_contents.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_contents.schema(); }
  [[nodiscard]] std::uint64_t entries() const noexcept override {
    return m_contents.container().entries();
  }
  /// Each record is a cluster.
  [[nodiscard]] std::vector<EntryRange> clusters() const override {
    return m_contents.container().clusters();
  }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_contents.tables().unreadable();
  }

  /// Null if records have a stream for each bank or column, or another byte order.
  [[nodiscard]] const Source* storedEntries() const noexcept override {
    return m_contents.hasStoredEvents() ? &m_stored : nullptr;
  }
  [[nodiscard]] const HipoContents& contents() const noexcept { return m_contents; }

private:
  HipoContents m_contents;
  StoredEvents m_stored{m_contents};
};

} // namespace kaon::hipo
