#include <kaon/formats/sio/lcio/LcioEventPlan.h>

#include <kaon/base/Error.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/formats/sio/lcio/HeaderTables.h>
#include <kaon/formats/sio/lcio/LcioModel.h>
#include <kaon/model/CollectionTables.h>
#include <kaon/model/Lossless.h>
#include <kaon/model/OptionalRows.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace kaon::sio::lcio {
namespace {

constexpr std::string_view flagKey = "flag", separator = "__";

/// A field of a header besides its parameters: a number of a type, or texts.
struct HeaderField {
  std::string_view name;
  std::optional<Scalar> type = {};
};
constexpr std::array eventFields{
    HeaderField{"runNumber", Scalar::Int32}, HeaderField{"eventNumber", Scalar::Int32},
    HeaderField{"timeStamp", Scalar::Int64}, HeaderField{"weight", Scalar::Float64},
    HeaderField{"detectorName"}};
constexpr std::array runFields{HeaderField{"runNumber", Scalar::Int32}, HeaderField{"detectorName"},
                               HeaderField{"description"}, HeaderField{"activeSubdetectors"}};

class EventPlanner {
public:
  EventPlanner(std::string_view category, const Schema& schema)
      : m_fields(category == runsCategory ? std::span<const HeaderField>(runFields)
                                          : std::span<const HeaderField>(eventFields)),
        m_schema(schema) {}

  LcioEventPlan plan() {
    for (const HeaderField& field : m_fields)
      if (const TableNumber table = tableOf(field); table != Table::none)
        m_plan.header.emplace(field.name,
                              FrameParameter{.root = table,
                                             .values = table,
                                             .characters = charactersOf(m_schema, table)});
    for (TableNumber root = 0; root < m_schema.size(); ++root)
      if (m_schema.table(root).kind == TableKind::collection)
        addCollection(root);
      else if (m_schema.table(root).kind == TableKind::decoration)
        lose(root, "LCIO cannot store decorations of a collection");
    loseInnerWithoutOwners();
    std::ranges::sort(m_plan.collections, {}, &CollectionPlan::name);
    for (TableNumber root = 0; root < m_schema.size(); ++root)
      if (m_schema.table(root).isRoot() && m_schema.table(root).kind != TableKind::collection)
        addValue(root);
    sortByKey(m_plan.parameters, m_plan.losses);
    for (CollectionPlan& collection : m_plan.collections)
      sortByKey(collection.parameters, m_plan.losses);
    std::ranges::sort(m_plan.losses, {}, &detail::Loss::table);
    return std::move(m_plan);
  }

private:
  void lose(TableNumber table, std::string_view reason) { addLoss(m_plan.losses, table, reason); }

  void addCollection(TableNumber table) {
    const Table info = m_schema.table(table);
    std::string_view type = info.type;
    const bool isSubset = type.starts_with(detail::subsetPrefix) && type.ends_with('>');
    if (isSubset)
      type =
          type.substr(detail::subsetPrefix.size(), type.size() - detail::subsetPrefix.size() - 1);
    if (!type.starts_with(typePrefix))
      return lose(table, "its type is not in LCIO's model");
    type.remove_prefix(typePrefix.size());
    try {
      if (!isSubset && addInner(type, table))
        return;
      const LcioLayout* const layout = findLayout(type);
      if (!layout)
        return lose(table, "LCIO has no collections of this type");
      if (m_plan.collections.size() == mostCollections)
        return lose(table, reasonForSurplus(mostCollections, "collections"));
      if (!isBlockName(info.name))
        return lose(table, "names in LCIO must be identifiers of C");
      CollectionPlan collection{.name = std::string(info.name),
                                .type = std::string(type),
                                .table = table,
                                .isSubset = isSubset};
      if (isSubset)
        collection.type += "_References";
      else
        collection.objects = planObjects(m_schema, *layout, table, Table::none);
      m_plan.collections.push_back(std::move(collection));
      if (!isSubset)
        loseFurther(table);
    } catch (const Error& error) { // the batch has another version of the model
      lose(table, error.what());
    }
  }

  /// Records the parts of a collection that the model does not have as losses.
  void loseFurther(TableNumber table) {
    const Table info = m_schema.table(table);
    const auto known =
        kaon::tablesOf(modelDatatypes().get(info.type), info.name, table, Layout::split);
    if (info.members.size() > known.front().members.size())
      lose(table, "its objects have members that LCIO's objects lack");
    for (const TableNumber under : m_schema.tablesUnder(table))
      if (std::ranges::find(known, m_schema.table(under).name, &TableDefinition::name) ==
          known.end())
        lose(under, "LCIO's objects lack it");
  }

  /// Adds a collection of inner objects. Returns false for other types.
  bool addInner(std::string_view type, TableNumber table) {
    for (const std::string_view owner : {"SimCalorimeterHit", "ReconstructedParticle"})
      if (const LcioLayout& layout = *findLayout(owner); innerType(layout) == type) {
        m_plan.inner.emplace(table, planInner(m_schema, layout, table));
        return true;
      }
    return false;
  }

  /// Inner objects are written with their owners. Those without owners become losses.
  void loseInnerWithoutOwners() {
    std::erase_if(m_plan.inner, [&](const auto& inner) {
      const std::string_view type = m_schema.table(inner.first).type.substr(typePrefix.size());
      const bool isOwned = std::ranges::any_of(m_plan.collections, [&](const auto& collection) {
        return !collection.isSubset && innerType(*collection.objects.layout) == type;
      });
      if (!isOwned)
        lose(inner.first, "LCIO stores these objects only within other objects, which are missing");
      return !isOwned;
    });
  }

  void addValue(TableNumber table) {
    const Table info = m_schema.table(table);
    const auto field = std::ranges::find(m_fields, info.name, &HeaderField::name);
    if (field != m_fields.end()) {
      const auto known = m_plan.header.find(info.name);
      if (known == m_plan.header.end() && isOptionalRow(info.members))
        return lose(table, "LCIO's headers always have it, so it cannot be optional");
      if (known == m_plan.header.end())
        return lose(table, std::string("LCIO's headers have it as ")
                               .append(field->type ? nameOf(*field->type) : "string")
                               .append(", not as ")
                               .append(info.type));
      if (known->second.root == table)
        return;
    }
    const std::optional<FrameParameter> parameter = frameParameter(m_schema, table);
    if (!parameter && !info.members.empty() && !info.members[0].name.empty() &&
        !isOptionalRow(info.members))
      return lose(table, "LCIO has no type for records; objects need LCIO's model, which every "
                         "LCIO file carries");
    if (!parameter)
      return lose(table, reasonAgainst(info, "LCIO"));
    const std::size_t end = info.name.find(separator);
    const auto owner = end == std::string_view::npos
                           ? m_plan.collections.end()
                           : std::ranges::find(m_plan.collections, info.name.substr(0, end),
                                               &CollectionPlan::name);
    if (owner == m_plan.collections.end()) {
      m_plan.parameters.push_back({std::string(info.name), *parameter});
      return;
    }
    const std::string key(info.name.substr(end + separator.size()));
    if (key == flagKey && parameter->type == ParameterType::int32)
      owner->flag = parameter;
    else
      owner->parameters.push_back({key, *parameter});
  }

  /// Returns the value or parameter for a field of a header. It prefers a table of the field's
  /// type, and otherwise takes one with a narrower type. Other tables of this name become
  /// parameters.
  [[nodiscard]] TableNumber tableOf(const HeaderField& field) const {
    TableNumber narrower = Table::none;
    for (TableNumber root = 0; root < m_schema.size(); ++root) {
      const Table table = m_schema.table(root);
      if (table.name != field.name || !table.isRoot() || table.kind == TableKind::collection)
        continue;
      const bool isText = charactersOf(m_schema, root) != Table::none;
      if (isText && !field.type)
        return root;
      if (isText || !field.type || table.members.size() != 1 || !table.members[0].name.empty() ||
          table.members[0].extent != 1)
        continue;
      if (table.members[0].type == *field.type)
        return root;
      if (isLossless(table.members[0].type, *field.type))
        narrower = root;
    }
    return narrower;
  }

  std::span<const HeaderField> m_fields;
  const Schema& m_schema;
  LcioEventPlan m_plan;
};

} // namespace

LcioEventPlan planEvents(std::string_view category, const Schema& schema) {
  return EventPlanner(category, schema).plan();
}

} // namespace kaon::sio::lcio
