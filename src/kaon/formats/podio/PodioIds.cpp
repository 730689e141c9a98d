#include <kaon/formats/podio/PodioIds.h>

#include <kaon/formats/podio/PodioCollectionId.h>

#include <algorithm>

namespace kaon {

std::string PodioIds::obstacleOf(TableNumber collection) const {
  const Table table = m_schema.table(collection);
  if (const auto other = m_tables.find(podioCollectionId(table.name)); other != m_tables.end())
    return std::string("podio gives it the same number as '")
        .append(m_schema.table(other->second).name)
        .append("'");
  if (table.members.size() == 1 && table.members[0].name.empty() &&
      (table.members[0].type == Scalar::Bool || table.members[0].extent != 1 ||
       std::ranges::distance(m_schema.tablesUnder(collection)) != 1))
    return "podio's collections of bare values must hold single numbers";
  return "";
}

void PodioIds::add(TableNumber collection) {
  m_ids[collection] = podioCollectionId(m_schema.table(collection).name);
  m_tables.emplace(m_ids[collection], collection);
}

} // namespace kaon
