#pragma once

#include <kaon/formats/hipo/BankTables.h>
#include <kaon/formats/hipo/HipoContainer.h>
#include <kaon/formats/hipo/SharedPayloads.h>

#include <atomic>
#include <string>
#include <string_view>

namespace kaon::hipo {

/// The name of the only category of a HIPO file.
inline constexpr std::string_view eventsCategory = "events";

/// The tables of a HIPO file's events, shared by all readers. It must not outlive its container.
/// All functions are thread-safe.
class HipoContents {
public:
  /// Reads a few records to find structures that the dictionary does not describe. Throws
  /// Error(io).
  explicit HipoContents(const HipoContainer& container);

  /// File and category, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const HipoContainer& container() const noexcept { return m_container; }
  [[nodiscard]] const BankTables& tables() const noexcept { return m_tables; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_tables.schema(); }
  /// Whether events are stored consecutively, in native byte order, in all records that were
  /// examined.
  [[nodiscard]] bool hasStoredEvents() const noexcept { return m_hasStoredEvents; }
  [[nodiscard]] SharedPayloads& payloads() const noexcept { return m_payloads; }
  /// Warns once about a structure that is in no table.
  void warnOf(const std::string& stranger) const;

private:
  void findStructures();

  const HipoContainer& m_container;
  std::string m_name;
  BankTables m_tables;
  bool m_hasStoredEvents = true;
  mutable SharedPayloads m_payloads;
  mutable std::atomic<bool> m_hasWarned = false;
};

} // namespace kaon::hipo
