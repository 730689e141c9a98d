#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/Schema.h>
#include <kaon/model/Structure.h>
#include <kaon/model/Table.h>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

enum class MemberKind : std::uint8_t {
  value,   ///< one number, or an array
  record,  ///< a component, or a whole row
  array,   ///< an array of components
  optional ///< a value, record or array that may be missing
};

/// A node of a MemberTree.
struct MemberNode {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::string_view path; ///< for example "ends.1.x"
  std::string_view name; ///< the last part of the path
  /// The shape of a value or array, in the form of Structure.h; "" for one value.
  std::string_view shape;
  /// The number of values, or of an array's elements.
  std::uint32_t size = 1;
  std::uint32_t leaf = none;
  /// The number of a record's members, or of an array's elements.
  std::uint32_t parts = 0;
  std::uint32_t above = none;
  std::uint32_t firstPart = none, nextPart = none, lastPart = none;
  MemberKind kind = MemberKind::record;
  Scalar type = Scalar::Bool; ///< of a value
};

/// The members of a struct as its model declares them: components, arrays and optionals. Tables and
/// datatypes have a flat list of numbers instead. The texts are views of the original texts.
class MemberTree {
public:
  /// A member of a table, or a leaf of a datatype.
  struct Leaf {
    std::string_view path;
    std::string_view structure;
    Scalar type = Scalar::Bool;
    std::uint32_t extent = 1;
  };
  /// Builds the tree. Nodes whose parts do not fit their structure become records, so that no leaf
  /// is lost.
  explicit MemberTree(std::span<const Leaf> leaves);
  /// Builds the tree of a datatype's leaves, or of a vector member's elements. Leaves keep their
  /// order.
  explicit MemberTree(std::span<const kaon::Leaf> leaves);

  static constexpr TableNumber root = 0;
  [[nodiscard]] const MemberNode& operator[](std::uint32_t node) const noexcept {
    return m_nodes[node];
  }
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(m_nodes.size());
  }
  /// Returns the node of an optional's value. presenceOf() returns the leaf that tells whether the
  /// value is present.
  [[nodiscard]] std::uint32_t valueOf(std::uint32_t optional) const noexcept {
    return m_nodes[optional].firstPart;
  }
  [[nodiscard]] std::uint32_t presenceOf(std::uint32_t optional) const noexcept {
    return m_nodes[m_nodes[valueOf(optional)].nextPart].leaf;
  }

  /// Returns the path for users, without the numbers of elements and the parts of optionals.
  [[nodiscard]] std::string labelOf(std::uint32_t node) const;

private:
  [[nodiscard]] std::uint32_t addPart(std::uint32_t above, std::string_view path,
                                      std::string_view name);
  void settle();
  [[nodiscard]] bool isWholeOptional(const MemberNode& node) const noexcept;
  [[nodiscard]] bool isWholeArray(const MemberNode& node) const noexcept;
  [[nodiscard]] bool areAlike(std::uint32_t a, std::uint32_t b) const noexcept;

  std::vector<MemberNode> m_nodes; // nodes come before their parts
};

/// The tree of a table's members, and of the decorations of the same objects. Leaves are numbered
/// as in `places`.
struct TableTree {
  std::deque<std::string> texts;   ///< paths that are in no schema
  std::vector<TableMember> places; ///< of the leaves
  MemberTree tree;
};
[[nodiscard]] TableTree treeOf(const Schema& schema, TableNumber table);

/// Returns whether each row has an array of the member's values, even if only of one value, instead
/// of a number.
[[nodiscard]] bool isArray(const Schema& schema, TableNumber table, MemberNumber member);

/// Returns the structure of a list's name in the rows of the table above it, see Structure.h. Lists
/// can be values of optionals, or lie in these. "" for most tables.
[[nodiscard]] std::string structureOfList(const Schema& schema, TableNumber table);

/// Returns the members that tell whether a row above has the list of a table: one for each optional
/// around the list in that row, the outermost first. Empty for most tables.
[[nodiscard]] std::vector<TableMember> presencesOfList(const Schema& schema, TableNumber table);

/// Returns the members that tell whether a member has a value: one for each optional around it and
/// around its lists, the outermost first. Empty for most members. A presence does not include
/// itself.
[[nodiscard]] std::vector<TableMember> presencesOf(const Schema& schema, TableNumber table,
                                                   MemberNumber member);

/// Returns whether two tables have the same rows: one is under the other, without lists between
/// them, or both are under the same rows.
[[nodiscard]] bool haveSameRows(const Schema& schema, std::uint32_t a, std::uint32_t b);

} // namespace kaon
