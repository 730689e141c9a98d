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
  slice,       ///< child[child:child:child]; omitted children are `absent`.
  unary,       ///< text child: "-", "+", "~", "not"
  binary,      ///< child text child: arithmetic or bits.
  comparison,  ///< children with the signs in `signs` between them
  conjunction, ///< children joined by "and"
  disjunction, ///< children joined by "or"
  conditional, ///< child[0] if child[1] else child[2]
  sequence     ///< (a, b): only behind "in"
};

/// A part of an expression. Its children are numbers in the tree.
struct Syntax {
  static constexpr std::uint32_t absent = ~std::uint32_t{0};
  SyntaxKind kind = SyntaxKind::integer;
  TextSpan place;        ///< The whole part.
  std::string_view text; ///< The name, sign or digits in the tree's text.
  std::vector<std::uint32_t> children = {};
  std::vector<std::string_view> signs = {}; ///< of a comparison
  std::uint32_t height = 1;                 ///< depth of nested parts
  bool isBracketed = false;                 ///< in parentheses; `place` includes them
};

/// The syntax of an expression, without the meanings of names.
struct SyntaxTree {
  std::string_view text; ///< must outlive the tree
  std::vector<Syntax> nodes;
  std::uint32_t root = 0;
  [[nodiscard]] const Syntax& at(std::uint32_t number) const { return nodes[number]; }
};

/// The greatest depth of nested parts.
inline constexpr std::uint32_t mostNesting = 200;

/// Parses an expression in Python's syntax. Throws Error(usage) with the place of the mistake.
[[nodiscard]] SyntaxTree parse(std::string_view text);

/// Returns the conditions that "and" joins, in order, or the whole text. Throws the errors of
/// parse().
[[nodiscard]] std::vector<std::string_view> conditionsOf(std::string_view text);

} // namespace kaon::expression
