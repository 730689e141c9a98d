#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/sio/Parameters.h>
#include <kaon/formats/sio/UnitColumns.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::sio {

/// The keys of parameters that some blocks have, by type.
class ParameterKeys {
public:
  using Key = std::pair<ParameterType, std::string>;
  void add(ParameterType type, std::string_view key);
  [[nodiscard]] const std::set<Key>& all() const noexcept { return m_keys; }

private:
  std::set<Key> m_keys;
  std::vector<Key> m_last; // the last ones, in their order: mostly they come again
  std::size_t m_next = 0;
};

/// Adds the keys of the parameters that follow in a block. Throws Error(version) if there are too
/// many of them.
void addKeys(BlockReader& in, std::span<const ParameterType> order, ParameterKeys& keys);

/// Adds the table of a parameter, and that of the characters of strings. Returns its number;
/// Table::none, and says so in `unreadable`, where it cannot be one.
[[nodiscard]] std::uint32_t addParameterTable(Schema& schema, ParameterType type, std::string name,
                                              std::vector<Unreadable>& unreadable);

/// The tables of some parameters, and what they are called in blocks.
class ParameterTables {
public:
  /// Adds tables of all keys, whose names begin with `prefix`.
  void addTo(Schema& schema, const ParameterKeys& keys, const std::string& prefix,
             std::vector<Unreadable>& unreadable);

  /// Decodes the parameters of an event. Returns whether all of them have tables.
  [[nodiscard]] bool decode(BlockReader& in, std::span<const ParameterType> order,
                            UnitColumns& out) const;
  /// Those of an event without any.
  void decodeNone(UnitColumns& out) const;

private:
  struct Known {
    ParameterKeys::Key key;
    std::uint32_t table = Table::none; ///< none: it is unreadable
    std::uint32_t column = 0;          ///< of values; of strings, of their characters
  };
  [[nodiscard]] const Known* find(ParameterType type, std::string_view key) const;
  std::vector<Known> m_known; // sorted
};

/// Appends the values of a parameter to its table.
void decodeValues(const StoredParameter& parameter, std::uint32_t table, std::uint32_t column,
                  UnitColumns& out);
/// Appends a text as the next row of a table of strings.
void putText(std::string_view text, std::uint32_t table, std::uint32_t column, UnitColumns& out);

} // namespace kaon::sio
