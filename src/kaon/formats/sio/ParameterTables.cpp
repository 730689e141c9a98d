#include <kaon/formats/sio/ParameterTables.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <cstring>

namespace kaon::sio {
namespace {

template <class T>
void copyTurned(const std::byte* from, std::uint32_t values, std::byte* to) {
  for (std::uint32_t i = 0; i < values; ++i) {
    const T value = loadBigEndian<T>(from + i * sizeof(T));
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

} // namespace

void ParameterKeys::add(ParameterType type, std::string_view key) {
  if (m_next < m_inOrder.size()) {
    const Key& next = m_inOrder[m_next]->first;
    if (next.first == type && next.second == key) {
      ++m_next;
      return;
    }
  }
  auto place = m_places.find(std::pair(type, key));
  if (place == m_places.end()) {
    if (m_places.size() == mostParameters)
      fail(ErrorKind::version, "has more than ", mostParameters,
           " different parameters; kaon makes a table of each, and reads no more tables");
    place = m_places.emplace(Key(type, key), m_inOrder.size()).first;
    m_inOrder.push_back(place);
  }
  m_next = place->second + 1;
}

std::vector<ParameterKeys::Key> ParameterKeys::all() const {
  std::vector<Key> keys;
  for (const auto& [key, place] : m_places)
    keys.push_back(key);
  return keys;
}

void addKeys(BlockReader& in, std::span<const ParameterType> order, ParameterKeys& keys) {
  try {
    forParameters(in, order, [&](const StoredParameter& parameter) {
      keys.add(parameter.type, parameter.key);
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::version)
      throw;
    fail(ErrorKind::version, in.place().text(), ": ", error.what());
  }
}

TableNumber addParameterTable(Schema& schema, ParameterType type, std::string name,
                              std::vector<Unreadable>& unreadable) {
  const std::uint32_t number = schema.size();
  try {
    for (const TableDefinition& table : parameterTables(type, name, number))
      (void)schema.add(table);
    return number;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage)
      throw;
    schema = schema.first(number);
    unreadable.push_back({std::move(name), std::string(nameOf(type)) + " parameter", error.what()});
    return Table::none;
  }
}

void ParameterTables::addTo(Schema& schema, const ParameterKeys& keys, const std::string& prefix,
                            std::vector<Unreadable>& unreadable) {
  for (const ParameterKeys::Key& key : keys.all()) {
    const TableNumber table = addParameterTable(schema, key.first, prefix + key.second, unreadable);
    const std::uint32_t last = schema.size() - 1; // for strings, the table of characters
    m_known.push_back({key, table, table == Table::none ? 0 : schema.columnsOf(last).last - 1});
  }
}

const ParameterTables::Known* ParameterTables::find(ParameterType type,
                                                    std::string_view key) const {
  const auto place =
      std::ranges::lower_bound(m_known, std::pair(type, key), {}, [](const Known& known) {
        return std::pair(known.key.first, std::string_view(known.key.second));
      });
  return place != m_known.end() && place->key.first == type && place->key.second == key ? &*place
                                                                                        : nullptr;
}

bool ParameterTables::decode(BlockReader& in, std::span<const ParameterType> order,
                             UnitColumns& out) const {
  bool areKnown = true;
  forParameters(in, order, [&](const StoredParameter& parameter) {
    const Known* const known = find(parameter.type, parameter.key);
    areKnown &= known != nullptr;
    if (!known || known->table == Table::none)
      return;
    // If a parameter occurs twice, the first one counts.
    if (out.hasPresence(known->table))
      return;
    out.setPresence(known->table, true);
    decodeValues(parameter, known->table, known->column, out);
  });
  decodeNone(out);
  return areKnown;
}

void ParameterTables::decodeNone(UnitColumns& out) const {
  for (const Known& known : m_known)
    if (known.table != Table::none) {
      if (!out.hasPresence(known.table))
        out.setPresence(known.table, false);
      out.endList(known.table);
    }
}

void putText(std::string_view text, TableNumber table, ColumnNumber column, UnitColumns& out) {
  const std::uint32_t characters = table + 1; // the table below it
  out.addRows(table, 1);
  if (!text.empty())
    std::memcpy(out.room(column, text.size()), text.data(), text.size());
  out.addRows(characters, static_cast<std::uint32_t>(text.size()));
  out.endList(characters);
}

void decodeValues(const StoredParameter& parameter, TableNumber table, ColumnNumber column,
                  UnitColumns& out) {
  BlockReader in = parameter.reader;
  if (parameter.type == ParameterType::string) {
    for (std::uint32_t i = 0; i < parameter.values; ++i)
      putText(in.text(), table, column, out);
    return;
  }
  const std::size_t bytes = leastBytes(parameter.type) * parameter.values;
  const std::byte* const from = in.take(bytes);
  if (bytes == 0)
    return;
  std::byte* const to = out.room(column, bytes);
  if (parameter.type == ParameterType::float64)
    copyTurned<std::uint64_t>(from, parameter.values, to);
  else
    copyTurned<std::uint32_t>(from, parameter.values, to);
  out.addRows(table, parameter.values);
}

} // namespace kaon::sio
