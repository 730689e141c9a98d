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

/// A name, its table and its member; the member is missing if the table has no members.
using ColumnKey = std::tuple<std::string, std::uint32_t, std::optional<std::uint32_t>>;

/// Returns the scalar type of this name, such as "float32". Throws Error(type).
[[nodiscard]] Scalar scalarNamed(std::string_view name);

/// Returns the names of all members, such as "MCParticles.momentum.x", in the order of the file.
[[nodiscard]] std::vector<ColumnKey> keysOf(const Schema& schema);

/// Returns the encodings and codecs of a column, such as "packed", "zstd" or "bytePlanes+zstd". The
/// form with the most bytes comes first.
[[nodiscard]] std::vector<std::string> namesOfForms(const ColumnUsage& usage);

} // namespace kaon::python
