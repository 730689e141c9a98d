#pragma once

#include <kaon/formats/arrow/CollectionTypes.h>
#include <kaon/model/MemberTree.h>
#include <kaon/model/Schema.h>
#include <kaon/model/Table.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::arrow {

/// A member of rows, or a list that is the value of an optional or lies in one.
struct RowMember {
  TableMember place; ///< Of lists only their table.
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1;
  std::string_view unit = {};
  /// The values of a missing member: see StructDefaults.
  std::vector<LeafDefault> defaults = {};
  bool isList = false;

  /// Whether the member has a default if this number of components around it are given.
  [[nodiscard]] bool hasDefault(std::uint32_t components) const noexcept {
    return components < defaults.size() && defaults[components].isStated;
  }
  /// Returns the values of a missing row, see StreamColumn::missing.
  [[nodiscard]] std::vector<std::byte> missing(std::uint32_t components) const;
};

/// The members of a table's rows. Some members of objects can be stored in decorations.
struct RowMembers {
  std::vector<RowMember> leaves;
  MemberTree tree;
  std::deque<std::string> texts = {}; ///< Of paths that are in no schema.
  /// Tables that store some of the members: decorations, and lists in optionals.
  std::vector<std::uint32_t> tables = {};

  /// Returns the only member if it has no name; otherwise MemberNode::none.
  [[nodiscard]] std::uint32_t bare() const noexcept {
    const MemberNode& row = tree[MemberTree::root];
    return row.parts == 1 && tree[row.firstPart].name.empty() ? row.firstPart : MemberNode::none;
  }
};

/// Returns the members of a table. They follow the declaration of its rows if it has one.
[[nodiscard]] RowMembers membersOf(const Schema& schema, TableNumber table,
                                   const Declaration& declared);

} // namespace kaon::arrow
