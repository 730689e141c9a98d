#include <kaon/formats/podio/PodioTables.h>

#include <kaon/base/Error.h>
#include <kaon/model/Builtin.h>
#include <kaon/model/CollectionTables.h>

#include <algorithm>
#include <array>
#include <string>

namespace kaon {
namespace {

std::vector<TableDefinition> numberTables(std::string_view type, std::string_view name) {
  const Builtin* const builtin = findBuiltin(type);
  if (!builtin)
    fail(ErrorKind::version, "its values of type '", type, "' are not numbers");
  return {{.name = std::string(name),
           .type = std::string(nameOf(builtin->scalar)),
           .rowSize = sizeOf(builtin->scalar),
           .members = {{.name = "", .type = builtin->scalar}}}};
}

/// Returns the tables of links between two types, "From,To". Links have the type of a model, or, if
/// no model has it, a type of their own.
std::vector<TableDefinition> linkTables(std::string_view types, std::string_view name,
                                        TableNumber root, const ModelDatatypes& datatypes) {
  const std::size_t comma = types.find(',');
  if (comma == std::string_view::npos)
    fail(ErrorKind::version, "'", types, "' are not two types");
  const std::array relations{Relation{"from", false, types.substr(0, comma), {}, {}},
                             Relation{"to", false, types.substr(comma + 1), {}, {}}};
  for (const std::string& known : datatypes.names()) {
    const Datatype* const link = datatypes.find(known);
    const auto isSame = [](const Relation& x, const Relation& y) {
      return x.name == y.name && !x.many && x.target == y.target;
    };
    if (link && std::ranges::equal(link->relations, relations, isSame))
      return tablesOf(*link, name, root, Layout::split);
  }
  const std::string type = std::string(ownLinkPrefix).append(types).append(">");
  const Leaf weight{"weight", Scalar::Float32, 1, 0, "", "of the link"};
  const Datatype link{.name = type,
                      .description = {},
                      .rowSize = sizeOf(weight.type),
                      .defaults = {},
                      .leaves = {&weight, 1},
                      .vectors = {},
                      .relations = relations};
  return tablesOf(link, name, root, Layout::split);
}

} // namespace

std::vector<TableDefinition> tablesOf(const PodioType& type, std::string_view name,
                                      TableNumber root, const ModelDatatypes& datatypes) {
  if (type.kind != PodioType::Kind::datatype && type.isSubset)
    fail(ErrorKind::version, "kaon does not know subsets of its type '", type.name, "'");
  if (type.kind == PodioType::Kind::userData)
    return numberTables(type.name, name);
  if (type.kind == PodioType::Kind::link)
    return linkTables(type.name, name, root, datatypes);
  const Datatype* const datatype = datatypes.find(type.name);
  if (!datatype)
    fail(ErrorKind::version, "no model has a datatype '", type.name, "' ",
         datatypes.mistake(type.name));
  return type.isSubset ? subsetTables(*datatype, name, root)
                       : tablesOf(*datatype, name, root, Layout::split);
}

} // namespace kaon
