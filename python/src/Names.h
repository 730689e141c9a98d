#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace kaon::python {

/// A name, and the table and member that it stands for; no member for a table that has none.
using Key = std::tuple<std::string, std::uint32_t, std::optional<std::uint32_t>>;

/// What to call the tables under the entries, by number. A parameter may be called as a collection
/// is, or as a parameter of another type: then the collection has the plain name, or the first of
/// them, and the others are told by their type.
[[nodiscard]] std::map<std::uint32_t, std::string> labelsOf(const Schema& schema);

/// The type of values that is called so, as "float32". Throws Error(type).
[[nodiscard]] Scalar scalarNamed(std::string_view name);

/// The names of all members, such as "MCParticles.momentum.x", in the order of the file.
[[nodiscard]] std::vector<Key> keysOf(const Schema& schema);

/// How a column is stored, most bytes first: "packed", "zstd", "bytePlanes+zstd".
[[nodiscard]] std::vector<std::string> namesOfForms(const ColumnUsage& usage);

} // namespace kaon::python
