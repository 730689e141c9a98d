#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/sio/SioParameters.h>
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
  ParameterKeys(ParameterKeys&&) = default; // m_inOrder points into m_places
  ParameterKeys& operator=(ParameterKeys&&) = default;

  void add(ParameterType type, std::string_view key);
  /// Sorted by type and key.
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
  Places m_places; // with their positions in m_inOrder
  // In order of first occurrence, which blocks usually repeat.
  std::vector<Places::const_iterator> m_inOrder;
  std::size_t m_next = 0;
};

/// Adds the keys of the parameters that follow in a block. Throws Error(version) if there are too
/// many.
void addKeys(BlockReader& in, std::span<const ParameterType> order, ParameterKeys& keys);

/// Adds the table of a parameter and, for strings, the table of their characters. Returns its
/// number. If it cannot be a table, adds it to `unreadable` and returns Table::none.
[[nodiscard]] TableNumber addParameterTable(Schema& schema, ParameterType type, std::string name,
                                            std::vector<Unreadable>& unreadable);

/// The tables of some parameters, with their keys in blocks.
class ParameterTables {
public:
  /// Adds a table for each key. Its name begins with `prefix`.
  void addTo(Schema& schema, const ParameterKeys& keys, const std::string& prefix,
             std::vector<Unreadable>& unreadable);

  /// Decodes the parameters of an event. Returns whether all of them have tables.
  [[nodiscard]] bool decode(BlockReader& in, std::span<const ParameterType> order,
                            UnitColumns& out) const;
  /// Adds an event without parameters.
  void decodeNone(UnitColumns& out) const;

private:
  struct Known {
    ParameterKeys::Key key;
    TableNumber table = Table::none; ///< none if it is unreadable
    ColumnNumber column = 0;         ///< of values, or of the characters of strings
  };
  [[nodiscard]] const Known* find(ParameterType type, std::string_view key) const;
  std::vector<Known> m_known; // sorted
};

/// Appends the values of a parameter to its table.
void decodeValues(const StoredParameter& parameter, TableNumber table, ColumnNumber column,
                  UnitColumns& out);
/// Appends a text as the next row of a table of strings.
void putText(std::string_view text, TableNumber table, ColumnNumber column, UnitColumns& out);

} // namespace kaon::sio
