#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/sio/Parameters.h>
#include <kaon/formats/sio/UnitColumns.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <map>
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
  ParameterKeys() = default;
  ParameterKeys(ParameterKeys&&) = default; // its parts point into each other
  ParameterKeys& operator=(ParameterKeys&&) = default;

  void add(ParameterType type, std::string_view key);
  /// In order.
  [[nodiscard]] std::vector<Key> all() const;

private:
  struct Less {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const noexcept {
      return std::pair(a.first, std::string_view(a.second)) <
             std::pair(b.first, std::string_view(b.second));
    }
  };
  using Places = std::map<Key, std::size_t, Less>;
  Places m_places;                               // in the order in which they came first
  std::vector<Places::const_iterator> m_inOrder; // mostly they come so again
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
  /// The parameters of an event that has none.
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
