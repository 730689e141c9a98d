#pragma once

#include <kaon/base/Error.h>
#include <kaon/model/Json.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kaon {

/// Metadata of a file: keys and values, with parts for its categories and their collections. The
/// rule of a key combines the values of several files:
///
///   same         values must be equal; the default
///   first, last  the first or the last value
///   sum          of numbers
///   min, max     of numbers, or of texts
///   list, union  the values in one list, without duplicates for union; lists are joined
///
/// A value type, for one thread at a time. Files store it as the document "metadata", which
/// Python's kaon.Metadata uses too; see docs/format.md.
class Metadata {
public:
  /// Sets a value. Throws Error(name), with a suggestion, for an unknown rule. Throws Error(type)
  /// for a value that JSON cannot hold, or that the rule does not support.
  void set(std::string_view key, Json value, std::string_view rule = "same");
  void remove(std::string_view key);
  /// Returns the value; null for an unknown key.
  [[nodiscard]] const Json* find(std::string_view key) const;
  /// Returns the value as a number, bool or std::string; nothing for an unknown key. Throws
  /// Error(type) if the value has another type or does not fit.
  template <class T>
  [[nodiscard]] std::optional<T> get(std::string_view key) const;
  /// Returns the rule of a key; "same" for an unknown key.
  [[nodiscard]] std::string_view rule(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> keys() const;

  /// Returns the part of a category of the file, or of a collection of the category. Adds the part
  /// if it is missing. Its address stays valid.
  [[nodiscard]] Metadata& part(std::string_view name);
  /// Returns a part; null if it is missing.
  [[nodiscard]] const Metadata* findPart(std::string_view name) const;
  /// Returns the names of the parts.
  [[nodiscard]] std::vector<std::string> parts() const;

  /// Merges the metadata of several files, in this order. Files without a key are ignored for this
  /// key. A key of only one file stays as it is. Throws Error(usage) if the rules for a key differ,
  /// or if values differ that must be equal. Throws Error(name) and Error(type) as set(). If
  /// `mistakes` is given, the messages are added to it instead, and their keys are left out.
  [[nodiscard]] static Metadata merged(std::span<const Metadata> several,
                                       std::vector<std::string>* mistakes = nullptr);

  /// Returns the document for a file.
  [[nodiscard]] std::string toJson() const;
  /// Reads the document of a file. Throws Error(corrupt), beginning with `where`, for an invalid
  /// document.
  [[nodiscard]] static Metadata fromJson(std::string_view text, std::string_view where);

private:
  struct Entry {
    std::string key;
    Json value;
    std::string rule; ///< as in files
  };
  struct Part;
  [[nodiscard]] const Entry* entry(std::string_view key) const;
  [[noreturn]] static void failType(std::string_view key, const Json& value);
  static Metadata merge(const std::vector<const Metadata*>& several, const std::string& where,
                        std::vector<std::string>* mistakes);
  [[nodiscard]] Json::Entries entries(bool rules) const;
  [[nodiscard]] Json::Entries allEntries(bool rules) const;
  void restore(const Json& json, bool rules, std::string_view where);
  void restoreEntries(const Json& json, bool rules, std::string_view where);

  std::vector<Entry> m_entries;
  std::list<Part> m_parts;
};

struct Metadata::Part {
  std::string name;
  Metadata metadata;
};

namespace detail {

/// The name of the document.
inline constexpr std::string_view metadataDocument = "metadata";

} // namespace detail

template <class T>
std::optional<T> Metadata::get(std::string_view key) const {
  const Json* const value = find(key);
  if (!value)
    return std::nullopt;
  if constexpr (std::same_as<T, bool> || std::same_as<T, std::string>) {
    if (const T* const plain = value->as<T>())
      return *plain;
  } else {
    static_assert(std::is_arithmetic_v<T>, "metadata are numbers, truth values and texts");
    const auto* const number = value->as<std::int64_t>();
    const auto* const large = value->as<std::uint64_t>();
    if constexpr (std::floating_point<T>) {
      if (const auto* const real = value->as<double>();
          real && std::isfinite(static_cast<T>(*real)))
        return static_cast<T>(*real);
      if (number || large)
        return number ? static_cast<T>(*number) : static_cast<T>(*large);
    } else {
      if (number && std::in_range<T>(*number))
        return static_cast<T>(*number);
      if (large && std::in_range<T>(*large))
        return static_cast<T>(*large);
    }
  }
  failType(key, *value);
}

} // namespace kaon
