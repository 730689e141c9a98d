#pragma once

#include <kaon/formats/sio/lcio/LcioLayouts.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::sio::lcio {

/// Number of objects that no pointer refers to.
inline constexpr std::uint32_t noObject = 0xFFFFFFFF;

/// A field of a layout, and the columns of a collection that it becomes.
struct Step {
  const LcioField* field = nullptr;
  /// The table of its rows. For lists, relations and objects, the one below the collection.
  TableNumber table = Table::none;
  ColumnNumber column = 0;                 ///< The first one that takes values.
  MemberNumber member = 0;                 ///< The first one with values, in any layout.
  std::uint32_t columns = 0;               ///< Number of columns that take values in turn.
  std::uint32_t extent = 1;                ///< Values that each column takes.
  Scalar type = Scalar::Int32;             ///< Of the columns.
  std::vector<std::uint32_t> counted = {}; ///< Tables with a row for each of `inner`.
  TableNumber objects = Table::none; ///< The collection of objects that are stored in this one.
  std::vector<Step> inner = {};
  bool countsRows = true; ///< False for a pointer in `rows`, whose rows are counted there.
  /// Whether it is a particle's status, which tells whether an endpoint follows.
  bool isStatus = false;
};

/// How the objects of a collection are decoded.
struct ObjectPlan {
  const LcioLayout* layout = nullptr;
  TableNumber table = 0;
  std::vector<Step> steps;
};

/// Plans the objects of a collection. If the layout has inner objects, `objects` is the table of
/// their collection. They are left out if it is Table::none.
[[nodiscard]] ObjectPlan planObjects(const Schema& schema, const LcioLayout& layout,
                                     TableNumber table, std::uint32_t objects);

/// Plans the inner objects of a layout, in a table of their own.
[[nodiscard]] std::vector<Step> planInner(const Schema& schema, const LcioLayout& layout,
                                          TableNumber table);

/// Returns the type of the inner objects of a layout, such as "CaloHitContribution", or "".
[[nodiscard]] std::string_view innerType(const LcioLayout& layout);
/// Returns the name of the collection of inner objects: "Hits_contributions".
[[nodiscard]] std::string innerName(const LcioLayout& layout, std::string_view collection);

} // namespace kaon::sio::lcio
