#pragma once

#include <kaon/model/Schema.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// The types that parameters have in files of podio and LCIO.
enum class ParameterType : std::uint8_t { int32, float32, float64, string };
inline constexpr std::array parameterTypes{ParameterType::int32, ParameterType::float32,
                                           ParameterType::float64, ParameterType::string};

/// Returns the type of the values; for strings, of their characters.
[[nodiscard]] Scalar scalarOf(ParameterType type);
/// Returns the name of a type as tables have it: "int32", "string".
[[nodiscard]] std::string_view nameOf(ParameterType type);

/// Returns the table of a parameter and, for strings, the table of their characters. The first
/// table gets the number `root`.
[[nodiscard]] std::vector<TableDefinition> parameterTables(ParameterType type, std::string name,
                                                           TableNumber root);

} // namespace kaon
