#include <kaon/expression/Token.h>

#include <kaon/base/Utf8.h>

#include <algorithm>
#include <array>

namespace kaon::expression {
namespace {

constexpr bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }
// Bytes beyond ASCII count as letters, because models may use them in names.
constexpr bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::array<std::string_view, 29> symbols = {
    "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "(", ")", "[", "]", ",", ".", ":",
    "+",  "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|", "^", "~", "{", "}", "="};

/// Returns kaon's form of an operator of another language.
std::string_view meantBy(std::string_view rest) {
  if (rest.starts_with("&&"))
    return "'and'";
  if (rest.starts_with("||"))
    return "'or'";
  if (rest.starts_with("!") && !rest.starts_with("!="))
    return "'not'";
  if (rest.starts_with("?"))
    return "'a if condition else b'";
  if (rest.starts_with("=") && !rest.starts_with("=="))
    return "'=='";
  return {};
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : m_text(text) {}

  std::vector<Token> tokens() {
    std::vector<Token> tokens;
    for (;;) {
      while (m_at < m_text.size() && isSpace(m_text[m_at]))
        ++m_at;
      tokens.push_back(next());
      if (tokens.back().kind == TokenKind::end)
        return tokens;
    }
  }

private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
  }

  Token next() {
    const std::size_t begin = m_at;
    TokenKind kind = TokenKind::end;
    if (m_at == m_text.size())
      return {kind, {}, {begin, begin}};
    if (isDigit(peek()) || (peek() == '.' && isDigit(peek(1))))
      kind = number();
    else if (isLetter(peek()))
      kind = name();
    else if (peek() == '"' || peek() == '\'')
      return string();
    else
      kind = symbol();
    return {kind, m_text.substr(begin, m_at - begin), {begin, m_at}};
  }

  /// A name, also of HIPO's banks: "REC::Particle".
  TokenKind name() {
    while (isLetter(peek()) || isDigit(peek()) || peek() == ':') {
      if (peek() == ':') {
        if (peek(1) != ':' || !isLetter(peek(2)))
          break;
        ++m_at;
      }
      ++m_at;
    }
    return TokenKind::name;
  }

  TokenKind number() {
    const std::size_t begin = m_at;
    TokenKind kind = TokenKind::integer;
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      m_at += 2;
    } else {
      digits();
      if (peek() == '.') {
        kind = TokenKind::real;
        ++m_at;
        digits();
      }
      if (peek() == 'e' || peek() == 'E') {
        const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
        if (isDigit(peek(1 + sign))) {
          kind = TokenKind::real;
          m_at += 1 + sign;
          digits();
        }
      }
    }
    const std::size_t end = m_at;
    while (isLetter(peek()) || isDigit(peek()))
      ++m_at;
    if (kind == TokenKind::integer && m_text.substr(begin).starts_with("0") && m_at > end &&
        (m_text[begin + 1] == 'x' || m_text[begin + 1] == 'X'))
      return kind; // Hexadecimal digits are checked on conversion.
    if (m_at > end)
      failAt(ErrorKind::usage, m_text, {begin, m_at},
             quoted(m_text.substr(begin, m_at - begin)) + " is not a number");
    return kind;
  }
  void digits() {
    while (isDigit(peek()) || (peek() == '_' && isDigit(peek(1))))
      ++m_at;
  }

  Token string() {
    const std::size_t begin = m_at;
    const std::size_t end = m_text.find(peek(), m_at + 1);
    if (end == std::string_view::npos)
      failAt(ErrorKind::usage, m_text, {begin, begin + 1}, "the quotes are not closed");
    m_at = end + 1;
    return {TokenKind::string, m_text.substr(begin + 1, end - begin - 1), {begin, m_at}};
  }

  TokenKind symbol() {
    const std::string_view rest = m_text.substr(m_at);
    if (const std::string_view meant = meantBy(rest); !meant.empty())
      failAt(ErrorKind::usage, m_text,
             {m_at, m_at + (rest.size() > 1 && rest[1] == rest[0] ? 2 : 1)},
             "expressions are written as in Python: " + std::string(meant));
    const auto* const symbol =
        std::ranges::find_if(symbols, [&](std::string_view s) { return rest.starts_with(s); });
    if (symbol == symbols.end())
      failAt(ErrorKind::usage, m_text, {m_at, m_at + 1}, "this means nothing here");
    m_at += symbol->size();
    return TokenKind::symbol;
  }

  std::string_view m_text;
  std::size_t m_at = 0;
};

/// Returns the text with spaces in place of control characters, with the same number of bytes.
std::string printable(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      c = ' ';
  return line;
}

} // namespace

std::string quoted(std::string_view text) {
  std::string result;
  result.append(1, '\'').append(text).append(1, '\'');
  return result;
}

void failAt(ErrorKind kind, std::string_view text, TextSpan place, const std::string& message) {
  constexpr std::size_t around = 60; // characters shown on each side of the place
  std::size_t begin = place.begin > around ? place.begin - around : 0;
  while (begin > 0 && isContinuation(text[begin]))
    --begin;
  std::size_t end = std::min(text.size(), place.begin + around);
  while (end < text.size() && isContinuation(text[end]))
    ++end;
  const auto characters = [&](std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::count_if(text.begin() + static_cast<std::ptrdiff_t>(from),
                                                  text.begin() + static_cast<std::ptrdiff_t>(to),
                                                  [](char c) { return !isContinuation(c); }));
  };
  const std::string before = begin > 0 ? "..." : "";
  const std::size_t marked =
      std::max<std::size_t>(1, characters(place.begin, std::clamp(place.end, place.begin, end)));
  std::string marks(before.size() + characters(begin, place.begin), ' ');
  marks.append("^").append(marked - 1, '~');
  fail(kind, message, "\n  ", before, printable(text.substr(begin, end - begin)),
       end < text.size() ? "..." : "", "\n  ", marks);
}

std::vector<Token> tokensOf(std::string_view text) {
  if (text.size() > mostCharacters)
    fail(ErrorKind::usage, "the expression has ", text.size(), " characters, more than ",
         mostCharacters, ": define its parts as columns");
  if (!isUtf8(text))
    fail(ErrorKind::usage, "the expression is not text (UTF-8)");
  return Lexer(text).tokens();
}

} // namespace kaon::expression
