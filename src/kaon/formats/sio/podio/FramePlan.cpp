#include <kaon/formats/sio/podio/FramePlan.h>

#include <kaon/base/Error.h>
#include <kaon/formats/sio/Record.h>
#include <kaon/formats/sio/podio/FrameScan.h>
#include <kaon/model/PodioCollectionId.h>
#include <kaon/model/PodioTypes.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

namespace kaon::sio::podio {
namespace {

class FramePlanner {
public:
  FramePlanner(const Schema& schema, std::span<const ModelDatatypes::Document> models)
      : m_schema(schema), m_types(models), m_structs(m_types.models()) {}

  FramePlan plan() {
    m_plan.ids.resize(m_schema.size());
    for (std::uint32_t root = 0; root < m_schema.size(); ++root) {
      const Table table = m_schema.table(root);
      if (table.kind == TableKind::collection)
        addCollection(root);
      else if (table.kind == TableKind::decoration)
        lose(root, "podio has no decorations");
      // A parameter, or a value, which becomes a parameter of one number or string.
      else if (table.isRoot())
        addParameter(root);
    }
    sortByKey(m_plan.parameters, m_plan.losses);
    std::ranges::sort(m_plan.losses, {}, &detail::Loss::table);
    return std::move(m_plan);
  }

private:
  void lose(std::uint32_t table, std::string_view reason) {
    detail::Loss& loss =
        m_plan.losses.emplace_back(); // GCC 12 warns about moving one with a short text
    loss.table = table;
    loss.reason = reason;
  }

  /// The number of tables of a root, including those below it.
  [[nodiscard]] std::ptrdiff_t tablesOf(std::uint32_t root) const {
    return std::ranges::distance(m_schema.tablesUnder(root));
  }

  void addParameter(std::uint32_t root) {
    const Table table = m_schema.table(root);
    const auto type = parameterTypeOf(m_schema, root);
    if (!type)
      return lose(root,
                  std::string("podio's parameters are of int32, float32, float64 or string, not ")
                      .append("of ")
                      .append(table.type.empty() ? "lists or records" : table.type));
    m_plan.parameters.push_back({std::string(table.name), *type, root});
  }

  void addCollection(std::uint32_t root) {
    const Table table = m_schema.table(root);
    const std::uint32_t id = podioCollectionId(table.name);
    if (std::string reason = obstacleOf(root); !reason.empty())
      return lose(root, reason);
    auto obstacles = m_types.obstacles(m_schema, root);
    for (const auto& [under, reason] : obstacles)
      lose(under, reason);
    if (std::ranges::find(obstacles, root, &PodioTypes::Obstacle::table) != obstacles.end())
      return;
    const PodioType type = m_types.typeOf(table);
    try {
      m_plan.collections.push_back({.form = formOf(root, type),
                                    .type = typeName(type),
                                    .id = id,
                                    .schemaVersion = type.schemaVersion,
                                    .isSubset = type.isSubset});
    } catch (const Error& error) { // structs that podio cannot store
      return lose(root, error.what());
    }
    m_plan.ids[root] = id;
    m_roots.emplace(id, root);
  }

  [[nodiscard]] CollectionForm formOf(std::uint32_t root, const PodioType& type) {
    if (type.isSubset)
      return formOfSubset(m_schema, root);
    if (type.kind == PodioType::Kind::userData)
      return formOfNumbers(m_schema, root);
    return formOfObjects(m_schema, root,
                         type.kind == PodioType::Kind::link ? storedLink()
                                                            : m_structs.objectOf(type.name));
  }

  [[nodiscard]] static std::string typeName(const PodioType& type) {
    return type.kind == PodioType::Kind::link ? std::string(linkPrefix).append(type.name) + ">"
                                              : type.name;
  }

  /// Returns why a collection cannot be stored, whatever its type, or "".
  [[nodiscard]] std::string obstacleOf(std::uint32_t root) const {
    const Table table = m_schema.table(root);
    if (m_plan.collections.size() == mostCollections)
      return reasonForSurplus(mostCollections, "collections");
    if (!isBlockName(table.name))
      return "names of collections in SIO must be at most 64 letters, numbers and _";
    if (table.name == parameterBlock)
      return "podio uses this name for its parameters";
    if (const auto other = m_roots.find(podioCollectionId(table.name)); other != m_roots.end())
      return std::string("podio gives it the same number as '")
          .append(m_schema.table(other->second).name)
          .append("'");
    if (table.members.size() == 1 && table.members[0].name.empty() &&
        (table.members[0].type == Scalar::Bool || table.members[0].extent != 1 ||
         tablesOf(root) != 1))
      return "podio's collections of bare values must hold single numbers";
    return "";
  }

  const Schema& m_schema;
  PodioTypes m_types;
  StoredStructs m_structs;
  std::map<std::uint32_t, std::uint32_t> m_roots; // collections by podio's IDs
  FramePlan m_plan;
};

} // namespace

FramePlan planFrames(const Schema& schema, std::span<const ModelDatatypes::Document> models) {
  return FramePlanner(schema, models).plan();
}

} // namespace kaon::sio::podio
