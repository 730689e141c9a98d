#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/hipo/Dictionary.h>
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

// Tables as structures of events:
//
//   a collection                       a bank of its name
//   a value, a parameter of numbers    a bank with one column, `value`, or of its members
//   `tag`, `mask`                      what the header of an event says
//   `node_20_3`, `composite_40_7`      what they were read from: structures without a bank
//
// Whether a table without rows is there is not kept: it is not written.

/// A table as structures.
struct StructurePlan {
  StructureType type = StructureType::bank;
  std::uint32_t table = 0;
  std::uint32_t rowBytes = 0;
  BankDescription bank; ///< its name, key and columns; in the dictionary if it is a bank
  std::string format;   ///< of composites
};

struct EventPlan {
  std::optional<std::uint32_t> tag, mask; ///< tables
  std::vector<StructurePlan> structures;
};

/// The group and item of each bank: those that metadata say, where files were read that had them,
/// or else free ones.
class BankNumbers {
public:
  /// Takes those of a document "metadata".
  void take(const Metadata& metadata);
  /// The key of a bank, the same each time.
  [[nodiscard]] std::uint32_t keyOf(const std::string& bank);
  /// Nothing else gets this key.
  void reserve(std::uint32_t key) { m_used.insert(key); }

private:
  std::map<std::string, std::uint32_t, std::less<>> m_keys;
  std::set<std::uint32_t> m_used;
  std::uint32_t m_next = 0;
};

/// Throws Error(usage) that names a table that HIPO cannot hold, and says why; `file` is for the
/// message.
[[nodiscard]] EventPlan planEvents(const Schema& schema, BankNumbers& numbers,
                                   const std::string& file);

/// Why there cannot be a category of this name; "" if there can.
[[nodiscard]] std::string obstacleTo(std::string_view category);

/// The tables that HIPO cannot hold. A collection is held without the lists and relations in it.
[[nodiscard]] std::vector<Loss> lossesInEvents(const Schema& schema);

} // namespace kaon::hipo
