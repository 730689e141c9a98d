#pragma once

#include <kaon/detail/reading/Window.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>

// The contents of tables as JSON, to compare with those that other programs read.

namespace kaon::test {

using Json = nlohmann::json;

/// Returns one value as JSON: a number, or a text if JSON has no number for it.
template <class T>
Json asJson(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value))
      return "NaN";
    if (std::isinf(value))
      return value > 0 ? "Infinity" : "-Infinity";
  }
  return value;
}

/// Reads rows as JSON: records as objects, lists as arrays, strings as strings.
class RowsAsJson {
public:
  explicit RowsAsJson(const Source& source) : m_source(source), m_window(source) {}

  /// Returns the window that reads the rows.
  [[nodiscard]] detail::Window& window() noexcept { return m_window; }

  /// Returns the rows of a root table in an entry: one row if each entry has one, otherwise an
  /// array.
  Json entry(std::uint32_t table, std::uint64_t entry) {
    const auto [first, last] = m_window.rows(table, entry);
    return schema().table(table).isCounted() ? rows(table, entry, first, last)
                                             : row(table, entry, first);
  }

private:
  [[nodiscard]] const Schema& schema() const { return m_source.schema(); }

  Json rows(std::uint32_t table, std::uint64_t entry, std::size_t first, std::size_t last) {
    const Table info = schema().table(table);
    const bool isText =
        info.kind == TableKind::text ||
        (info.kind == TableKind::vectorMember && info.type == "string" && !info.members.empty());
    if (isText) {
      const ColumnView characters = m_window.member(table, 0, entry);
      return std::string(reinterpret_cast<const char*>(characters.base) + first, last - first);
    }
    Json all = Json::array();
    for (std::size_t each = first; each < last; ++each)
      all.push_back(row(table, entry, each));
    return all;
  }

  Json row(std::uint32_t table, std::uint64_t entry, std::size_t number) {
    const Table info = schema().table(table);
    Json json = Json::object();
    for (std::uint32_t member = 0; member < info.members.size(); ++member)
      place(json, info.members[member].name) = value(table, member, entry, number);
    for (const std::uint32_t child : schema().tablesUnder(schema().rootOf(table))) {
      if (schema().table(child).parent != table)
        continue;
      const std::string_view tail = schema().table(child).name.substr(info.name.size() + 1);
      if (!schema().table(child).isCounted()) {
        place(json, tail) = row(child, entry, number);
        continue;
      }
      const auto offsets = m_window.offsets(child, entry);
      const bool isText = schema().table(child).kind == TableKind::text;
      place(json, isText ? "" : tail) = rows(child, entry, offsets[number], offsets[number + 1]);
    }
    return json;
  }

  Json value(std::uint32_t table, std::uint32_t member, std::uint64_t entry, std::size_t row) {
    const Member info = schema().table(table).members[member];
    const ColumnView view = m_window.member(table, member, entry);
    return withScalar(info.type, [&](auto type) {
      using T = decltype(type);
      const auto* const values = reinterpret_cast<const T*>(view.at(row));
      Json all = Json::array();
      for (std::uint32_t i = 0; i < info.extent; ++i)
        all.push_back(info.type == Scalar::Bool ? Json(values[i] != 0) : asJson(values[i]));
      return info.extent == 1 ? all[0] : all;
    });
  }

  /// Returns the part of a record at a path such as "pos.x"; the record itself for "".
  static Json& place(Json& record, std::string_view path) {
    Json* inside = &record;
    while (!path.empty()) {
      const std::size_t dot = std::min(path.find('.'), path.size());
      inside = &(*inside)[std::string(path.substr(0, dot))];
      path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return *inside;
  }

  const Source& m_source;
  detail::Window m_window;
};

} // namespace kaon::test
