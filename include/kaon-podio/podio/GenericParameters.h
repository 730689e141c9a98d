#pragma once

#include <podio/utilities/TypeHelpers.h>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace podio {

using SupportedGenericDataTypes = std::tuple<int, float, std::string, double>;

template <class T>
concept ValidGenericDataType =
    detail::isInTuple<detail::GetVectorType<T>, SupportedGenericDataTypes>;

/// Parameters by type and name, as those of a frame. For one thread.
class GenericParameters {
public:
  template <class T>
  using MapType = std::map<std::string, std::vector<T>>;

  /// Returns the values of a name, or the first of them; nothing if
  /// the name has no values.
  template <ValidGenericDataType T>
  [[nodiscard]] std::optional<T> get(const std::string& key) const {
    const auto& values = getMap<T>();
    const auto found = values.find(key);
    if (found == values.end())
      return std::nullopt;
    if constexpr (detail::isVector<T>)
      return found->second;
    else
      return found->second.empty() ? std::nullopt : std::optional<T>(found->second.front());
  }
  template <ValidGenericDataType T>
  void set(const std::string& key, T value) {
    if constexpr (detail::isVector<T>)
      map<T>().insert_or_assign(key, std::move(value));
    else
      map<T>().insert_or_assign(key, std::vector<T>{std::move(value)});
  }
  void set(const std::string& key, const char* value) { set(key, std::string(value)); }
  void set(const std::string& key, std::initializer_list<const char*> values) {
    set(key, std::vector<std::string>(values.begin(), values.end()));
  }
  template <ValidGenericDataType T>
  void set(const std::string& key, std::initializer_list<T> values) {
    set(key, std::vector<T>(values));
  }
  /// Returns the number of values.
  template <ValidGenericDataType T>
  [[nodiscard]] std::size_t getN(const std::string& key) const {
    const auto found = getMap<T>().find(key);
    return found == getMap<T>().end() ? 0 : found->second.size();
  }
  template <ValidGenericDataType T>
  [[nodiscard]] std::vector<std::string> getKeys() const {
    std::vector<std::string> keys;
    for (const auto& each : getMap<T>())
      keys.push_back(each.first);
    return keys;
  }
  template <ValidGenericDataType T>
  [[nodiscard]] std::tuple<std::vector<std::string>, std::vector<std::vector<T>>>
  getKeysAndValues() const {
    std::vector<std::vector<T>> values;
    for (const auto& each : getMap<T>())
      values.push_back(each.second);
    return {getKeys<T>(), values};
  }
  template <ValidGenericDataType T>
  [[nodiscard]] const MapType<detail::GetVectorType<T>>& getMap() const {
    return std::get<MapType<detail::GetVectorType<T>>>(m_maps);
  }
  void clear() { m_maps = {}; }
  [[nodiscard]] bool empty() const {
    return std::apply([](const auto&... maps) { return (maps.empty() && ...); }, m_maps);
  }
  /// Prints a line for each parameter.
  void print(std::ostream& out = std::cout, bool flush = true) const {
    std::apply([&](const auto&... maps) { (printMap(out, maps), ...); }, m_maps);
    if (flush)
      out.flush();
  }

private:
  template <class T>
  [[nodiscard]] MapType<detail::GetVectorType<T>>& map() {
    return std::get<MapType<detail::GetVectorType<T>>>(m_maps);
  }
  static void printMap(std::ostream& out, const auto& values) {
    for (const auto& [key, list] : values) {
      out << key << ": [";
      for (std::size_t i = 0; i < list.size(); ++i)
        out << (i > 0 ? ", " : "") << list[i];
      out << "]\n";
    }
  }
  std::tuple<MapType<int>, MapType<float>, MapType<std::string>, MapType<double>> m_maps;
};

} // namespace podio
