#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/hipo/HipoDictionary.h>
#include <kaon/model/Metadata.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::hipo {

// Maps tables to structures of events:
//
//   a collection                       a bank of its name
//   a value, a parameter of numbers    a bank with one column, `value`, or of its members
//   `tag`, `mask`                      words in the header of an event
//   `node_20_3`, `composite_40_7`      the structures that they were read from, not banks
//
// Tables without rows are not written, so readers cannot distinguish them from absent tables.

/// The structure for a table.
struct StructurePlan {
  StructureType type = StructureType::bank;
  std::uint32_t table = 0;
  std::uint32_t rowBytes = 0;
  BankDescription bank; ///< its name, key and columns; banks are in the dictionary
  std::string format;   ///< of composites
};

struct HipoEventPlan {
  std::optional<std::uint32_t> tag, mask; ///< tables
  std::vector<StructurePlan> structures;
};

/// Assigns group and item to each bank. It uses those in the metadata of files that had the banks,
/// or free ones.
class BankNumbers {
public:
  /// Adds the numbers in a document "metadata".
  void take(const Metadata& metadata);
  /// Returns the key of a bank. It does not change.
  [[nodiscard]] std::uint32_t keyOf(const std::string& bank);
  /// Reserves a key, so that no other bank gets it.
  void reserve(std::uint32_t key) { m_used.insert(key); }

private:
  std::map<std::string, std::uint32_t, std::less<>> m_keys;
  std::set<std::uint32_t> m_used;
  std::uint32_t m_next = 0;
};

/// Throws Error(usage) with the name of a table that HIPO cannot hold, and the reason. `file` is
/// for the message.
[[nodiscard]] HipoEventPlan planEvents(const Schema& schema, BankNumbers& numbers,
                                       const std::string& file);

/// Returns why there cannot be a category of this name, or "".
[[nodiscard]] std::string obstacleTo(std::string_view category);

/// Returns the tables that HIPO cannot hold. Collections are written without their lists and
/// relations.
[[nodiscard]] std::vector<detail::Loss> lossesInEvents(const Schema& schema);

} // namespace kaon::hipo
