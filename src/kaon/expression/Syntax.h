#pragma once

#include <kaon/expression/Token.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::expression {

enum class SyntaxKind : std::uint8_t {
  integer,     ///< 20
  real,        ///< 2.4
  boolean,     ///< True
  string,      ///< 'first'
  name,        ///< Muon
  attribute,   ///< child.text
  call,        ///< text(children...); keywords are not part of the language
  index,       ///< child[child]
  slice,       ///< child[child:child:child]; numbers of children that are left out are `absent`
  unary,       ///< text child: "-", "+", "~", "not"
  binary,      ///< child text child: arithmetic, bits
  comparison,  ///< children with the signs in `signs` between them
  conjunction, ///< children joined by "and"
  disjunction, ///< children joined by "or"
  conditional, ///< child[0] if child[1] else child[2]
  sequence     ///< (a, b): only behind "in"
};

/// A part of an expression, and its parts by their numbers in the tree.
struct Syntax {
  static constexpr std::uint32_t absent = ~std::uint32_t{0};
  SyntaxKind kind = SyntaxKind::integer;
  Place place;           ///< all of it
  std::string_view text; ///< the name, sign, or digits: of the tree's text
  std::vector<std::uint32_t> children = {};
  std::vector<std::string_view> signs = {}; ///< of a comparison
  std::uint32_t height = 1;                 ///< so many parts lie one in the other
  bool isBracketed = false;                 ///< written in parentheses, which its place has
};

/// What an expression's text says, before it is known what its names mean.
struct SyntaxTree {
  std::string_view text; ///< must outlive the tree
  std::vector<Syntax> nodes;
  std::uint32_t root = 0;
  [[nodiscard]] const Syntax& at(std::uint32_t number) const { return nodes[number]; }
};

/// So deep may parts lie in each other.
inline constexpr std::uint32_t mostNesting = 200;

/// Reads Python's syntax of expressions. Throws Error(usage) with the place of what is wrong.
[[nodiscard]] SyntaxTree parse(std::string_view text);

/// The conditions that "and" joins, in their order; all of the text where it joins none. Throws as
/// parse().
[[nodiscard]] std::vector<std::string_view> conditionsOf(std::string_view text);

} // namespace kaon::expression
