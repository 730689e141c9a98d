#pragma once

#include <kaon/root/DataSource.h>

#include "support/RowsAsJson.h"

#include <ROOT/RDF/RColumnReaderBase.hxx>
#include <ROOT/RVec.hxx>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

// The values of a column in RDataFrame and in kaon's own reader, both as JSON.

namespace kaon::test {

template <class T>
Json valueAsJson(const T& value) {
  return asJson(value);
}
inline Json valueAsJson(bool value) { return value; }
inline Json valueAsJson(const std::string& value) { return value; }
template <class T>
Json valueAsJson(const ROOT::RVec<T>& values);
template <class T>
Json valueAsJson(const std::optional<T>& value) {
  return value ? valueAsJson(*value) : Json();
}
template <class T>
Json valueAsJson(const ROOT::RVec<T>& values) {
  Json all = Json::array();
  for (const T& value : values)
    all.push_back(valueAsJson(value));
  return all;
}

/// Reads entries of a column of any type from a data source.
using EntryAsJson = std::function<Json(std::uint64_t)>;

template <class T>
EntryAsJson entriesOf(root::DataSource& source, unsigned int slot, const std::string& name) {
  const std::shared_ptr<ROOT::Detail::RDF::RColumnReaderBase> reader =
      source.GetColumnReaders(slot, name, typeid(T));
  return [reader](std::uint64_t entry) {
    return valueAsJson(*reader->TryGet<T>(static_cast<Long64_t>(entry)));
  };
}

using ReadersByType = std::map<std::string, decltype(&entriesOf<int>)>;

template <class T, std::size_t lists = 0>
void addLists(ReadersByType& types, const std::string& name) {
  types.emplace(name, &entriesOf<T>);
  if constexpr (lists < 4)
    addLists<ROOT::RVec<T>, lists + 1>(types, "ROOT::VecOps::RVec<" + name + ">");
}

template <class T>
void addTypes(ReadersByType& types, const std::string& name) {
  addLists<T>(types, name);
  addLists<std::optional<T>>(types, "std::optional<" + name + ">");
  addLists<std::optional<ROOT::RVec<T>>>(types, "std::optional<ROOT::VecOps::RVec<" + name + ">>");
}

/// Reads a column with the type that the data source states.
inline EntryAsJson entriesOf(root::DataSource& source, unsigned int slot, const std::string& name) {
  static const auto types = [] {
    ReadersByType all;
    addTypes<bool>(all, "bool");
    addTypes<std::int8_t>(all, "std::int8_t");
    addTypes<std::uint8_t>(all, "std::uint8_t");
    addTypes<std::int16_t>(all, "std::int16_t");
    addTypes<std::uint16_t>(all, "std::uint16_t");
    addTypes<std::int32_t>(all, "std::int32_t");
    addTypes<std::uint32_t>(all, "std::uint32_t");
    addTypes<std::int64_t>(all, "std::int64_t");
    addTypes<std::uint64_t>(all, "std::uint64_t");
    addTypes<std::size_t>(all, "std::size_t");
    addTypes<float>(all, "float");
    addTypes<double>(all, "double");
    addTypes<std::string>(all, "std::string");
    return all;
  }();
  return types.at(source.GetTypeName(name))(source, slot, name);
}

/// Returns the part of a row at a path, or of each row in a list.
inline Json partOf(const Json& rows, std::string_view path) {
  if (path.empty())
    return rows;
  if (rows.is_array()) {
    Json all = Json::array();
    for (const Json& row : rows)
      all.push_back(partOf(row, path));
    return all;
  }
  const std::size_t dot = std::min(path.find('.'), path.size());
  return partOf(rows.at(std::string(path.substr(0, dot))),
                path.substr(std::min(dot + 1, path.size())));
}

/// Returns the sizes of the lists `levels` levels down.
inline Json sizesOf(const Json& lists, std::size_t levels) {
  if (levels == 0)
    return lists.size();
  Json all = Json::array();
  for (const Json& list : lists)
    all.push_back(sizesOf(list, levels - 1));
  return all;
}

/// Returns values from kaon's own reader, by the column names of RDataFrame.
class ColumnsAsJson {
public:
  explicit ColumnsAsJson(const Source& source) : m_source(source), m_rows(source) {}

  Json entry(std::string_view column, const std::string& type, std::uint64_t entry) {
    constexpr std::string_view sizeOf = "R_rdf_sizeof_";
    const bool isSize = column.starts_with(sizeOf);
    if (isSize)
      column.remove_prefix(sizeOf.size());
    const auto [table, path] = rootOf(column);
    const Json values = partOf(m_rows.entry(table, entry), path);
    std::size_t levels = 0;
    for (std::size_t at = type.find("RVec"); at != std::string::npos;
         at = type.find("RVec", at + 1))
      ++levels;
    return isSize ? sizesOf(values, levels) : values;
  }

private:
  /// Returns the root table with the longest name that begins the column's name, and the rest of
  /// the name.
  [[nodiscard]] std::pair<std::uint32_t, std::string_view> rootOf(std::string_view column) const {
    std::string_view root = column;
    while (true) {
      const std::uint32_t table = m_source.schema().find(root);
      if (table != Table::none && m_source.schema().table(table).isRoot())
        return {table, column.substr(std::min(root.size() + 1, column.size()))};
      if (root.find('.') == std::string_view::npos)
        throw std::runtime_error("no table for " + std::string(column));
      root = root.substr(0, root.rfind('.'));
    }
  }
  const Source& m_source;
  RowsAsJson m_rows;
};

} // namespace kaon::test
