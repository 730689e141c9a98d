#include <kaon/model/CollectionTables.h>

#include <kaon/base/Error.h>
#include <kaon/model/Schema.h>

#include <algorithm>
#include <array>

namespace kaon {

std::vector<TableDefinition> subsetTables(const Datatype& of, std::string_view name,
                                          std::uint32_t root) {
  const Relation object{"object", false, of.name, {}, "of another collection"};
  const std::string type = std::string(subsetPrefix).append(of.name).append(">");
  const Datatype subset{.name = type,
                        .description = {},
                        .defaults = {},
                        .leaves = {},
                        .vectors = {},
                        .relations = {&object, 1}};
  return tablesOf(subset, name, root, Layout::split);
}

std::vector<TableDefinition> linkTables(std::string_view types, std::string_view name,
                                        std::uint32_t root, const ModelDatatypes& datatypes) {
  const std::size_t comma = types.find(',');
  if (comma == std::string_view::npos)
    fail(ErrorKind::version, "'", types, "' are no two types");
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
  const std::string type = std::string("kaon::Link<").append(types).append(">");
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

} // namespace kaon
