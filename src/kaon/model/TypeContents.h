#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/MemberTree.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kaon {

/// What a datatype's objects consist of, as a file's tables or a model declare it.
struct TypeContents {
  enum class Kind : std::uint8_t { vectorMember, oneRelation, manyRelation };
  enum class Elements : std::uint8_t {
    values,     ///< numbers or components
    characters, ///< of one string
    strings
  };
  struct List {
    std::string_view name;
    std::string_view type; ///< of the elements; of a relation its target
    Kind kind = Kind::vectorMember;
    Elements elements = Elements::values;
    std::uint32_t depth = 0;                    ///< lists in the member's own list
    std::uint32_t table = Table::none;          ///< in a file: of its rows
    std::uint32_t innermost = Table::none;      ///< in a file: of the elements
    std::optional<MemberTree> tree = {};        ///< of values: the elements' members
    std::vector<std::string_view> targets = {}; ///< of a relation: its datatypes, as far as known
  };
  std::string_view name;
  std::uint32_t table = 0; ///< in a file: of the objects
  TableTree members;
  std::vector<List> lists; ///< vector members, then relations, as the datatype has them
};
[[nodiscard]] TypeContents contentsOf(const Datatype& type);
[[nodiscard]] TypeContents contentsOf(const Schema& schema, std::uint32_t collection);

} // namespace kaon
