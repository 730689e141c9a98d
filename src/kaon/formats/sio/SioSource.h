#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/sio/SioContents.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::sio {

/// A category of a SIO file as columns.
class SioSource final : public Source {
public:
  explicit SioSource(std::unique_ptr<const SioContents> contents)
      : m_contents(std::move(contents)) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_contents->name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_contents->schema(); }
  [[nodiscard]] std::uint64_t entries() const noexcept override {
    return m_contents->entries().size();
  }
  /// Each page is a cluster.
  [[nodiscard]] std::vector<EntryRange> clusters() const override;
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_contents->unreadable();
  }

private:
  std::unique_ptr<const SioContents> m_contents;
};

} // namespace kaon::sio
