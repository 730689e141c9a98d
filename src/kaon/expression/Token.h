#pragma once

#include <kaon/base/Error.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::expression {

/// A range of an expression's text, in bytes.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Returns a text in quotes, for messages.
[[nodiscard]] std::string quoted(std::string_view text);

/// Throws an Error with the message and, below it, the text with the place underlined.
[[noreturn]] void failAt(ErrorKind kind, std::string_view text, TextSpan place,
                         const std::string& message);

enum class TokenKind : std::uint8_t {
  integer, ///< 20, 0x1f, 1_000
  real,    ///< 2.4, 1e-3
  name,    ///< a name or a word such as "and"
  string,  ///< 'first', without its quotes
  symbol,  ///< an operator or bracket
  end
};

/// A token of an expression. Its text is a part of the expression's text.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  TextSpan place;
};

/// The greatest length of an expression, in bytes.
inline constexpr std::size_t mostCharacters = 20'000;

/// Splits an expression into tokens; the last is `end`. Throws Error(usage) with the place of an
/// invalid character.
[[nodiscard]] std::vector<Token> tokensOf(std::string_view text);

} // namespace kaon::expression
