#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kaon {

namespace detail {

struct JsonEntry;

} // namespace detail

/// A JSON value: null, true or false, a number, a text, a list, or entries with names, which keep
/// their order. A value type.
class Json {
public:
  /// A whole number of more than 64 bits, stored as its digits.
  struct LongNumber {
    std::string digits;
    friend bool operator==(const LongNumber&, const LongNumber&) = default;
  };
  using List = std::vector<Json>;
  using Entries = std::vector<detail::JsonEntry>;
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, LongNumber, double,
                             std::string, List, Entries>;

  Json(std::nullptr_t = nullptr);
  template <class T>
    requires std::is_arithmetic_v<T>
  Json(T value) : m_value(ofNumber(value)) {}
  Json(std::string text);
  Json(std::string_view text);
  Json(const char* text);
  Json(LongNumber number);
  Json(List list);
  Json(Entries entries);

  /// Returns the value. Integers are std::uint64_t only above 2^63 - 1.
  [[nodiscard]] const Value& value() const noexcept { return m_value; }
  /// Returns the value as T; null if it has another type.
  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return std::get_if<T>(&m_value);
  }
  /// Returns the entry with this name; null if no entry has it, or if the value has no entries.
  [[nodiscard]] const Json* find(std::string_view name) const noexcept;

  /// Returns the value as JSON in ASCII without blanks, as Python writes it. Numbers have the
  /// fewest digits that read back to the same number. Throws Error(type) for values that JSON
  /// cannot hold: NaN, infinities, and texts that are not UTF-8.
  [[nodiscard]] std::string text() const;
  /// Returns text() with entries sorted by name, so that equal values have equal texts.
  [[nodiscard]] std::string sortedText() const;

  friend bool operator==(const Json& a, const Json& b) = default;

private:
  template <class T>
  [[nodiscard]] static Value ofNumber(T value);

  Value m_value;
};

namespace detail {

struct JsonEntry {
  std::string name;
  Json value;
  friend bool operator==(const JsonEntry&, const JsonEntry&) = default;
};

} // namespace detail

// Defined here because JsonEntry must be complete.
template <class T>
Json::Value Json::ofNumber(T value) {
  if constexpr (std::same_as<T, bool>)
    return value;
  else if constexpr (std::floating_point<T>)
    return static_cast<double>(value);
  else if (std::is_unsigned_v<T> && static_cast<std::uint64_t>(value) >> 63 != 0)
    return static_cast<std::uint64_t>(value);
  else
    return static_cast<std::int64_t>(value);
}
inline Json::Json(std::nullptr_t /*nothing*/) : m_value(nullptr) {}
inline Json::Json(std::string text) : m_value(std::move(text)) {}
inline Json::Json(std::string_view text) : m_value(std::string(text)) {}
inline Json::Json(const char* text) : m_value(std::string(text)) {}
inline Json::Json(LongNumber number) : m_value(std::move(number)) {}
inline Json::Json(List list) : m_value(std::move(list)) {}
inline Json::Json(Entries entries) : m_value(std::move(entries)) {}

namespace detail {

/// Parses a JSON text. Throws Error(corrupt), beginning with `where`, for invalid JSON and for more
/// than 100 nested levels. Also throws it for numbers too large for a double, and for entries with
/// the same name.
[[nodiscard]] Json parseJson(std::string_view text, std::string_view where);

} // namespace detail

} // namespace kaon
