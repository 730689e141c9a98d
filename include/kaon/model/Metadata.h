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

/// Keys and values about a file, with those of its categories and of their collections in parts;
/// each with a rule by which the values of several files become one:
///
///   same         they must not differ; holds where nothing else is said
///   first, last  one of them
///   sum          of numbers
///   min, max     of numbers, or of texts
///   list, union  one after another, a value that is no list as one of itself; union: none twice
///
/// A value type, for one thread at a time. In files it is the document "metadata", as Python's
/// kaon.Metadata has it; see docs/format.md.
class Metadata {
public:
  /// Sets a value. Throws Error(name), with a suggestion, if there is no such rule, Error(type) for
  /// a value that JSON cannot hold or the rule is not for.
  void set(std::string_view key, Json value, std::string_view rule = "same");
  void remove(std::string_view key);
  /// Null if there is none.
  [[nodiscard]] const Json* find(std::string_view key) const;
  /// The value as a number, truth value or std::string; nothing if there is none. Throws
  /// Error(type) if it is something else, or does not fit.
  template <class T>
  [[nodiscard]] std::optional<T> get(std::string_view key) const;
  /// "same" where there is no such key.
  [[nodiscard]] std::string_view rule(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> keys() const;

  /// Those of a category of the file, or of a collection of the category; stays where it is.
  [[nodiscard]] Metadata& part(std::string_view name);
  /// Null if nothing is said of it.
  [[nodiscard]] const Metadata* findPart(std::string_view name) const;
  /// Their names.
  [[nodiscard]] std::vector<std::string> parts() const;

  /// One of those of several files, in this order. Keys that some do not have merge as if only the
  /// others were there; what only one has stays as it is. Throws Error(usage) if values differ that
  /// must not, or the rules for a key do, Error(name) and Error(type) as set(). If `mistakes` is
  /// given these are added to it instead, and the keys are left out.
  [[nodiscard]] static Metadata merged(std::span<const Metadata> several,
                                       std::vector<std::string>* mistakes = nullptr);

  /// The document of a file.
  [[nodiscard]] std::string toJson() const;
  /// Throws Error(corrupt) that begins with `where` for what is no such document.
  [[nodiscard]] static Metadata fromJson(std::string_view text, std::string_view where);

private:
  struct Entry {
    std::string key;
    Json value;
    std::string rule; ///< as a file has it
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

/// The document's name.
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
