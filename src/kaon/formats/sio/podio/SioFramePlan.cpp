#include <kaon/formats/sio/podio/SioFramePlan.h>

#include <kaon/base/Error.h>
#include <kaon/formats/podio/PodioCollectionId.h>
#include <kaon/formats/podio/PodioIds.h>
#include <kaon/formats/podio/PodioTypes.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/formats/sio/podio/FrameScan.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace kaon::sio::podio {
namespace {

class SioFramePlanner {
public:
  SioFramePlanner(const Schema& schema, std::span<const ModelDatatypes::Document> models)
      : m_schema(schema), m_ids(schema), m_types(models), m_structs(m_types.models()) {}

  SioFramePlan plan() {
    for (TableNumber root = 0; root < m_schema.size(); ++root) {
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
    m_plan.ids = m_ids.ids();
    return std::move(m_plan);
  }

private:
  void lose(TableNumber table, std::string_view reason) { addLoss(m_plan.losses, table, reason); }

  void addParameter(TableNumber root) {
    const Table table = m_schema.table(root);
    const std::optional<FrameParameter> parameter = frameParameter(m_schema, root);
    if (!parameter)
      return lose(root, reasonAgainst(table, "podio"));
    m_plan.parameters.push_back({std::string(table.name), *parameter});
  }

  void addCollection(TableNumber root) {
    const Table table = m_schema.table(root);
    if (std::string reason = obstacleOf(root); !reason.empty())
      return lose(root, reason);
    auto obstacles = m_types.obstacles(m_schema, root);
    for (const auto& [under, reason] : obstacles)
      lose(under, reason);
    if (std::ranges::find(obstacles, root, &PodioTypes::Obstacle::table) != obstacles.end())
      return;
    const PodioType type = m_types.typeOf(table);
    try {
      m_plan.collections.push_back({.form = formOf(m_schema, root, type, m_structs),
                                    .type = typeName(type),
                                    .id = podioCollectionId(table.name),
                                    .schemaVersion = type.schemaVersion,
                                    .isSubset = type.isSubset});
    } catch (const Error& error) { // structs that podio cannot store
      return lose(root, error.what());
    }
    m_ids.add(root);
  }

  [[nodiscard]] static std::string typeName(const PodioType& type) {
    return type.kind == PodioType::Kind::link ? std::string(linkPrefix).append(type.name) + ">"
                                              : type.name;
  }

  /// Returns why a collection cannot be stored, whatever its type, or "".
  [[nodiscard]] std::string obstacleOf(TableNumber root) const {
    const Table table = m_schema.table(root);
    if (m_plan.collections.size() == mostCollections)
      return reasonForSurplus(mostCollections, "collections");
    if (!isBlockName(table.name))
      return "names of collections in SIO must be at most 64 letters, numbers and _";
    if (table.name == parameterBlock)
      return "podio uses this name for its parameters";
    return m_ids.obstacleOf(root);
  }

  const Schema& m_schema;
  PodioIds m_ids;
  PodioTypes m_types;
  StoredStructs m_structs;
  SioFramePlan m_plan;
};

} // namespace

SioFramePlan planFrames(const Schema& schema, std::span<const ModelDatatypes::Document> models) {
  return SioFramePlanner(schema, models).plan();
}

} // namespace kaon::sio::podio
