#include <kaon/formats/podio/ParameterType.h>

#include <kaon/model/Datatype.h>
#include <kaon/model/OptionalRows.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <utility>

namespace kaon {
namespace {

/// By ParameterType.
constexpr std::array parameterScalars{Scalar::Int32, Scalar::Float32, Scalar::Float64,
                                      Scalar::UInt8};

} // namespace

Scalar scalarOf(ParameterType type) { return parameterScalars[static_cast<std::size_t>(type)]; }

std::string_view nameOf(ParameterType type) {
  return type == ParameterType::string ? VectorMember::string : nameOf(scalarOf(type));
}

std::optional<ParameterType> parameterTypeOf(const Schema& schema, TableNumber number) {
  if (charactersOf(schema, number) != Table::none)
    return ParameterType::string;
  const Table table = schema.table(number);
  if (table.members.size() != 1 || table.members[0].extent != 1 || !table.members[0].name.empty() ||
      std::ranges::distance(schema.tablesUnder(number)) != 1)
    return std::nullopt;
  const auto scalar = std::ranges::find(parameterScalars, table.members[0].type);
  const auto type = static_cast<ParameterType>(scalar - parameterScalars.begin());
  if (scalar == parameterScalars.end() || type == ParameterType::string)
    return std::nullopt;
  return type;
}

std::string reasonForType(const Table& table) {
  if (isOptionalRow(table.members))
    return "podio's parameters cannot be optional";
  return std::string("podio's parameters are of int32, float32, float64 or string, not of ")
      .append(table.type.empty() ? "lists or records" : table.type);
}

std::vector<TableDefinition> parameterTables(ParameterType type, std::string name,
                                             TableNumber root) {
  const Scalar scalar = scalarOf(type);
  TableDefinition values{.name = std::move(name),
                         .kind = TableKind::parameter,
                         .type = std::string(nameOf(scalar)),
                         .rowSize = sizeOf(scalar),
                         .members = {{.name = "", .type = scalar}}};
  if (type != ParameterType::string)
    return {std::move(values)};
  TableDefinition strings{
      .name = values.name, .kind = TableKind::parameter, .type = std::string(VectorMember::string)};
  values.name += ".text";
  values.kind = TableKind::text;
  values.parent = root;
  return {std::move(strings), std::move(values)};
}

} // namespace kaon
