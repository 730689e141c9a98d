#include <kaon/formats/podio/ParameterType.h>

#include <kaon/model/Datatype.h>

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
