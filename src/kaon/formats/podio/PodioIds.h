#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon {

/// podio's numbers of the collections of a category, and reasons why podio cannot store some of
/// them in any file.
class PodioIds {
public:
  /// The schema must outlive this.
  explicit PodioIds(const Schema& schema) : m_schema(schema), m_ids(schema.size()) {}

  /// Returns why podio cannot store a collection, whatever its datatype, or "".
  [[nodiscard]] std::string obstacleOf(TableNumber collection) const;
  /// Gives a collection its number.
  void add(TableNumber collection);
  /// Returns the numbers by table: 0 for all but the added collections.
  [[nodiscard]] const std::vector<std::uint32_t>& ids() const noexcept { return m_ids; }

private:
  const Schema& m_schema;
  std::vector<std::uint32_t> m_ids;
  std::map<std::uint32_t, std::uint32_t> m_tables; // by number
};

} // namespace kaon
