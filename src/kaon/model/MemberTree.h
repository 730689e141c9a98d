#pragma once

#include <kaon/detail/model/MemberPlace.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/Schema.h>
#include <kaon/model/Structure.h>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

enum class MemberKind : std::uint8_t {
  value,   ///< numbers: one, or an array of them
  record,  ///< a component, or a whole row
  array,   ///< an array of components
  optional ///< a value, record or array that may be missing
};

/// A node of a MemberTree.
struct MemberNode {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::string_view path;  ///< "ends.1.x"
  std::string_view name;  ///< the last part of the path
  std::string_view shape; ///< of values and arrays, as Structure.h writes it; "" for one value
  std::uint32_t size = 1; ///< of values: how many; of an array: how many elements
  std::uint32_t leaf = none;
  std::uint32_t parts = 0; ///< of a record its members, of an array its elements
  std::uint32_t above = none;
  std::uint32_t firstPart = none, nextPart = none, lastPart = none;
  MemberKind kind = MemberKind::record;
  Scalar type = Scalar::Bool; ///< of values
};

/// The members of a struct as its model declares them: components, arrays and optionals, instead of
/// the flat list of numbers that tables and datatypes keep. Its texts are views of those that it
/// was made from.
class MemberTree {
public:
  /// A leaf: one member of a table, or Leaf of a datatype.
  struct Leaf {
    std::string_view path;
    std::string_view structure;
    Scalar type = Scalar::Bool;
    std::uint32_t extent = 1;
  };
  /// Nodes whose parts do not fit their structure become records: nothing is lost.
  explicit MemberTree(std::span<const Leaf> leaves);
  /// The leaves of a datatype or of an element of a vector member, numbered in their order.
  explicit MemberTree(std::span<const kaon::Leaf> leaves);

  static constexpr std::uint32_t root = 0;
  [[nodiscard]] const MemberNode& operator[](std::uint32_t node) const noexcept {
    return m_nodes[node];
  }
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(m_nodes.size());
  }
  /// Of an optional: the node of its value, and the leaf that tells whether it is there.
  [[nodiscard]] std::uint32_t valueOf(std::uint32_t optional) const noexcept {
    return m_nodes[optional].firstPart;
  }
  [[nodiscard]] std::uint32_t presenceOf(std::uint32_t optional) const noexcept {
    return m_nodes[m_nodes[valueOf(optional)].nextPart].leaf;
  }

  /// The path as users know it, without the numbers of elements and the parts of optionals.
  [[nodiscard]] std::string labelOf(std::uint32_t node) const;

private:
  [[nodiscard]] std::uint32_t addPart(std::uint32_t above, std::string_view path,
                                      std::string_view name);
  void settle();
  [[nodiscard]] bool isWholeOptional(const MemberNode& node) const noexcept;
  [[nodiscard]] bool isWholeArray(const MemberNode& node) const noexcept;
  [[nodiscard]] bool areAlike(std::uint32_t a, std::uint32_t b) const noexcept;

  std::vector<MemberNode> m_nodes; // parts stand behind what they are parts of
};

/// The tree of a table's members, and of further members of the same objects that lie in
/// decorations. Leaves are numbered as `leaves` has them.
struct TableTree {
  std::deque<std::string> texts;           ///< of paths that no schema has
  std::vector<detail::MemberPlace> places; ///< of the leaves
  MemberTree tree;
};
[[nodiscard]] TableTree treeOf(const Schema& schema, std::uint32_t table);

/// Whether each row has an array of the member's values, be it of a single one, and not one number.
[[nodiscard]] bool isArray(const Schema& schema, std::uint32_t table, std::uint32_t member);

/// The members that tell whether a member has a value: one for each optional that it lies in, the
/// outermost first. Empty for most members, and for what is itself a presence.
[[nodiscard]] std::vector<detail::MemberPlace>
presencesOf(const Schema& schema, std::uint32_t table, std::uint32_t member);

} // namespace kaon
