#pragma once

#include <kaon/detail/object/CollectionData.h>
#include <kaon/event/CategoryTables.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kaon {

/// The tables of a category that store a collection's objects.
struct CollectionTables {
  const Datatype* type = nullptr;
  std::vector<std::uint32_t> tables; ///< as returned by tablesOf()
  /// The table and member of each leaf, if an earlier version of the datatype wrote the collection
  /// and its rows therefore differ from the program's structs. Otherwise empty.
  std::vector<TableMember> leaves = {};
};

/// Returns the tables for the objects of a datatype. An earlier version of it may have defined
/// them.
[[nodiscard]] CollectionTables defineCollection(CategoryTables& categoryTables,
                                                const std::string& name, const Datatype& type);

/// Returns the tables of the members that the program added to the objects, in the decorations'
/// order. Call it before rows are appended: until then all tables of the collection have equal
/// length.
[[nodiscard]] std::vector<std::uint32_t> defineDecorations(CategoryTables& categoryTables,
                                                           const detail::CollectionData& data,
                                                           TableNumber table);

void appendDecorations(detail::BatchBuilder& builder, const detail::CollectionData& data,
                       std::span<const std::uint32_t> tables);

/// Appends the objects of a collection that a program has built to a builder.
class CollectionRows {
public:
  /// `neighbours` are the tables of the collections that the references point to; Table::none for
  /// those outside the frame.
  CollectionRows(detail::BatchBuilder& builder, const detail::CollectionData& data,
                 std::span<const std::uint32_t> neighbours)
      : m_builder(builder), m_data(data), m_neighbours(neighbours) {}

  /// Throws Error(usage) if an object is related to one outside the frame.
  void append(const CollectionTables& tables);

private:
  void appendStructs(const CollectionTables& tables);
  void appendVector(std::uint32_t vector, TableNumber table);
  void appendElements(const detail::ObjectLayout::List& list, std::uint32_t level,
                      detail::Slice slice, TableNumber table);
  void appendRelation(std::uint32_t relation, TableNumber table);
  [[nodiscard]] detail::Reference stored(detail::Reference reference, std::size_t object,
                                         const Relation& relation, TableNumber table) const;
  [[nodiscard]] std::optional<std::uint32_t>
  firstInOrder(const detail::ObjectLayout::List& list) const;
  [[nodiscard]] std::size_t endLists(const detail::ObjectLayout::List& list, TableNumber table);

  detail::BatchBuilder& m_builder;
  const detail::CollectionData& m_data;
  std::span<const std::uint32_t> m_neighbours;
};

} // namespace kaon
