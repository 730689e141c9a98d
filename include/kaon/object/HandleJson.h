#pragma once

#include <kaon/object/Collection.h>

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <string>

// Objects and collections as JSON, for programs that use nlohmann's library: include this header,
// or define PODIO_JSON_OUTPUT as podio's users do. `nlohmann::json(hits)` is a list of objects with
// their members, or of ids for a subset. A relation is the id of its object.

namespace kaon::detail {

/// Return JSON. NaN and infinities become null.
[[nodiscard]] std::string jsonOf(const Handle& object);
[[nodiscard]] std::string jsonOf(const CollectionBase& collection);
[[nodiscard]] std::string jsonOf(const ObjectID& id);

template <class T>
concept HasJson = std::derived_from<T, Handle> || std::derived_from<T, CollectionBase> ||
                  std::same_as<T, ObjectID>;

} // namespace kaon::detail

// Not a function to_json: nlohmann's own for containers would be as good a match.
template <kaon::detail::HasJson T>
struct nlohmann::adl_serializer<T, void> {
  static void to_json(auto& json, const T& value) {
    json = std::remove_cvref_t<decltype(json)>::parse(kaon::detail::jsonOf(value));
  }
};
