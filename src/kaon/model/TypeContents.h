#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/MemberTree.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kaon {

/// The members of a datatype's objects, as a file's tables or a model declare them.
struct TypeContents {
  enum class Kind : std::uint8_t { vectorMember, oneRelation, manyRelation };
  enum class Elements : std::uint8_t {
    values,     ///< numbers or components
    characters, ///< of one string
    strings
  };
  struct List {
    std::string_view name;
    std::string_view type; ///< the type of the elements; the target of a relation
    Kind kind = Kind::vectorMember;
    Elements elements = Elements::values;
    /// Levels of lists inside the member's own list.
    std::uint32_t depth = 0;
    /// In a file: the table of the list.
    TableNumber table = Table::none;
    /// In a file: the table of the elements.
    TableNumber innermost = Table::none;
    /// For values: the members of the elements.
    std::optional<MemberTree> tree = {};
    /// For a relation: its datatypes, as far as known.
    std::vector<std::string_view> targets = {};
  };
  std::string_view name;
  TableNumber table = 0; ///< in a file: the objects' table
  TableTree members;
  std::vector<List> lists; ///< vector members, then relations, in the datatype's order
};
[[nodiscard]] TypeContents contentsOf(const Datatype& type);
[[nodiscard]] TypeContents contentsOf(const Schema& schema, TableNumber collection);

} // namespace kaon
