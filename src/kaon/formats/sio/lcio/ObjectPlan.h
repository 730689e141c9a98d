#pragma once

#include <kaon/formats/sio/lcio/ObjectLayouts.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::sio::lcio {

inline constexpr std::uint32_t noObject = 0xFFFFFFFF; ///< the number of what nothing points to

/// A field of a layout, and the columns of a collection that it becomes.
struct Step {
  const Field* field = nullptr;
  /// That its rows are of: of lists, relations and objects the one under the collection.
  std::uint32_t table = Table::none;
  std::uint32_t column = 0;                ///< the first one that takes values
  std::uint32_t columns = 0;               ///< that take values in turn
  std::uint32_t extent = 1;                ///< values that each takes
  Scalar type = Scalar::Int32;             ///< of the columns
  std::vector<std::uint32_t> counted = {}; ///< tables with a row for each of `inner`
  std::uint32_t objects = Table::none;     ///< the collection of objects that lie in this one
  std::vector<Step> inner = {};
  bool countsRows = true; ///< of a pointer: who reads it says that there is a row
  bool isStatus = false;  ///< that of particles, which says whether there is an endpoint
};

/// How the objects of a collection are decoded.
struct ObjectPlan {
  const ObjectLayout* layout = nullptr;
  std::uint32_t table = 0;
  std::vector<Step> steps;
};

/// Of a layout whose `objects` lie in a collection of their own, with this table; none: they are
/// left out.
[[nodiscard]] ObjectPlan planObjects(const Schema& schema, const ObjectLayout& layout,
                                     std::uint32_t table, std::uint32_t objects);

/// The steps of the objects that lie in others of this layout, in a table of their own.
[[nodiscard]] std::vector<Step> planInner(const Schema& schema, const ObjectLayout& layout,
                                          std::uint32_t table);

/// The type of the objects that lie in others of this layout: "CaloHitContribution"; "" if there
/// are none.
[[nodiscard]] std::string_view innerType(const ObjectLayout& layout);
/// What their collection is called: "Hits_contributions".
[[nodiscard]] std::string innerName(const ObjectLayout& layout, std::string_view collection);

} // namespace kaon::sio::lcio
