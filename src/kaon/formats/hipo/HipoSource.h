#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hipo/BankTables.h>
#include <kaon/formats/hipo/Container.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon::hipo {

/// The events of a HIPO file as columns. It must not outlive its container.
class HipoSource final : public Source {
public:
  /// Reads a few records, for structures that the dictionary does not describe. Throws Error(io).
  explicit HipoSource(const Container& container);

  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_tables.schema(); }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_container.entries(); }
  /// Each record is one.
  [[nodiscard]] std::vector<EntryRange> clusters() const override;
  [[nodiscard]] std::unique_ptr<Cursor> cursor() const override;
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_tables.unreadable();
  }

  [[nodiscard]] const Container& container() const noexcept { return m_container; }
  [[nodiscard]] const BankTables& tables() const noexcept { return m_tables; }
  /// Warns, once, of a structure that was met and is in no table.
  void warnOf(const std::string& stranger) const;

private:
  void findStructures();

  const Container& m_container;
  std::string m_name;
  BankTables m_tables;
  mutable std::atomic<bool> m_hasWarned = false;
};

} // namespace kaon::hipo
