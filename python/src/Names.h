#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace kaon::python {

/// A name, and the table and member that it stands for; no member for a table that has none.
using Key = std::tuple<std::string, std::uint32_t, std::optional<std::uint32_t>>;

/// The type of values that is called so, as "float32". Throws Error(type).
[[nodiscard]] Scalar scalarNamed(std::string_view name);

/// The names of all members, such as "MCParticles.momentum.x", in the order of the file.
[[nodiscard]] std::vector<Key> keysOf(const Schema& schema);

/// How a column is stored, most bytes first: "packed", "zstd", "bytePlanes+zstd".
[[nodiscard]] std::vector<std::string> namesOfForms(const ColumnUsage& usage);

} // namespace kaon::python
