#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hipo/HipoContents.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kaon::hipo {

/// The events of a HIPO file in stored form: a collection with the bytes of each event. It must not
/// outlive its contents.
class StoredEvents final : public Source {
public:
  explicit StoredEvents(const HipoContents& contents) : m_contents(contents) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_contents.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return tables(); }
  [[nodiscard]] std::uint64_t entries() const noexcept override {
    return m_contents.container().entries();
  }
  [[nodiscard]] std::vector<EntryRange> clusters() const override {
    return m_contents.container().clusters();
  }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;

  /// The only table, the same for all of these sources.
  [[nodiscard]] static const Schema& tables();

private:
  const HipoContents& m_contents;
};

} // namespace kaon::hipo
