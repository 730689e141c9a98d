#include <kaon/expression/Syntax.h>

#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace kaon::expression {
namespace {

using Signs = std::span<const std::string_view>;

/// Python's binary operators that group from the left, in order of increasing precedence.
constexpr std::string_view bitOr[] = {"|"}, bitXor[] = {"^"}, bitAnd[] = {"&"};
constexpr std::string_view shiftSigns[] = {"<<", ">>"}, sumSigns[] = {"+", "-"};
constexpr std::string_view productSigns[] = {"*", "/", "//", "%"};
constexpr Signs binarySigns[] = {bitOr, bitXor, bitAnd, shiftSigns, sumSigns, productSigns};
constexpr std::string_view comparisons[] = {"<=", ">=", "==", "!=", "<", ">", "in"};
constexpr std::string_view prefixes[] = {"+", "-", "~"};

const std::vector<std::string>& words() {
  static const std::vector<std::string> all = {"and",  "or",    "not", "if",   "else",   "in",
                                               "True", "False", "is",  "None", "lambda", "for"};
  return all;
}
bool isWord(std::string_view name) { return std::ranges::find(words(), name) != words().end(); }

std::string bracketed(std::string_view text) {
  std::string result;
  result.append(1, '(').append(text).append(1, ')');
  return result;
}

class Parser {
public:
  explicit Parser(std::string_view text) : m_tokens(tokensOf(text)) { m_tree.text = text; }

  SyntaxTree tree() {
    if (peek().kind == TokenKind::end)
      failAt(ErrorKind::usage, m_tree.text, peek().place, "the expression is empty");
    m_tree.root = expression();
    if (peek().kind != TokenKind::end)
      unexpected("the expression should end here");
    return std::move(m_tree);
  }

private:
  /// Counts the depth of the recursion during its lifetime.
  class Descent {
  public:
    explicit Descent(Parser& parser) : m_parser(parser) {
      if (++m_parser.m_depth > mostNesting)
        m_parser.tooDeep(m_parser.peek().place);
    }
    Descent(const Descent&) = delete;
    Descent& operator=(const Descent&) = delete;
    ~Descent() { --m_parser.m_depth; }

  private:
    Parser& m_parser;
  };

  [[noreturn]] void tooDeep(TextSpan place) const {
    failAt(ErrorKind::usage, m_tree.text, place,
           "parts are nested more than " + std::to_string(mostNesting) +
               " deep: define some of them as columns");
  }

  [[nodiscard]] const Token& peek() const { return m_tokens[m_at]; }
  [[nodiscard]] bool isNext(std::string_view sign) const {
    const TokenKind kind = sign[0] >= 'a' && sign[0] <= 'z' ? TokenKind::name : TokenKind::symbol;
    return peek().kind == kind && peek().text == sign;
  }
  bool accept(std::string_view sign) {
    if (!isNext(sign))
      return false;
    ++m_at;
    return true;
  }
  std::string_view acceptAny(Signs signs) {
    for (const std::string_view sign : signs)
      if (accept(sign))
        return m_tokens[m_at - 1].text;
    return {};
  }
  void expect(std::string_view sign, const char* why) {
    if (!accept(sign))
      unexpected(quoted(sign) + " is missing here: " + why);
  }
  [[noreturn]] void unexpected(const std::string& message) const {
    std::string meant;
    if (peek().kind == TokenKind::name)
      meant = suggestion(peek().text, {"and", "or", "if", "else", "in"});
    if (isNext(":"))
      meant = "; write a name with a colon as in column('odd:name')";
    failAt(ErrorKind::usage, m_tree.text, peek().place, message + meant);
  }

  std::uint32_t add(SyntaxKind kind, std::size_t begin, std::string_view text,
                    std::vector<std::uint32_t> children, std::vector<std::string_view> signs = {}) {
    std::uint32_t height = 0;
    for (const std::uint32_t child : children)
      if (child != Syntax::absent)
        height = std::max(height, m_tree.at(child).height);
    const TextSpan place{begin, m_tokens[m_at - 1].place.end};
    if (++height > mostNesting)
      tooDeep(place);
    m_tree.nodes.push_back({kind, place, text, std::move(children), std::move(signs), height});
    return static_cast<std::uint32_t>(m_tree.nodes.size() - 1);
  }
  [[nodiscard]] std::size_t beginOf(std::uint32_t node) const {
    return m_tree.at(node).place.begin;
  }

  std::uint32_t expression() {
    const Descent descent(*this);
    const std::uint32_t value = joined("or", SyntaxKind::disjunction);
    if (!accept("if"))
      return value;
    const std::uint32_t condition = joined("or", SyntaxKind::disjunction);
    expect("else", "a value with 'if' also needs the value otherwise");
    const std::uint32_t otherwise = expression();
    return add(SyntaxKind::conditional, beginOf(value), {}, {value, condition, otherwise});
  }

  std::uint32_t joined(std::string_view word, SyntaxKind kind) {
    const auto part = [&] {
      return kind == SyntaxKind::disjunction ? joined("and", SyntaxKind::conjunction) : inverted();
    };
    std::vector<std::uint32_t> parts{part()};
    while (accept(word))
      parts.push_back(part());
    const std::uint32_t first = parts.front();
    return parts.size() == 1 ? first : add(kind, beginOf(first), {}, std::move(parts));
  }

  std::uint32_t inverted() {
    if (!isNext("not"))
      return comparison();
    const Descent descent(*this);
    const Token& word = m_tokens[m_at++];
    return add(SyntaxKind::unary, word.place.begin, word.text, {inverted()});
  }

  std::uint32_t comparison() {
    std::vector<std::uint32_t> parts{binary(0)};
    std::vector<std::string_view> signs;
    for (;;) {
      std::string_view sign = acceptAny(comparisons);
      if (sign.empty() && isNext("not")) { // as in `x not in (1, 2)`
        ++m_at;
        expect("in", "between two values, 'not' is allowed only in 'not in'");
        sign = "not in";
      }
      if (sign.empty())
        break;
      signs.push_back(sign);
      parts.push_back(sign.ends_with("in") ? sequence() : binary(0));
    }
    const std::uint32_t first = parts.front();
    if (signs.empty())
      return first;
    if (std::ranges::any_of(parts, [this](std::uint32_t part) { return isOfBits(part); }))
      ambiguous(parts, signs);
    return add(SyntaxKind::comparison, beginOf(first), {}, std::move(parts), std::move(signs));
  }

  /// Returns whether a part is `a & b`, `a | b` or `a ^ b` without parentheses.
  [[nodiscard]] bool isOfBits(std::uint32_t number) const {
    const Syntax& syntax = m_tree.at(number);
    return syntax.kind == SyntaxKind::binary && !syntax.isBracketed &&
           (syntax.text == "&" || syntax.text == "|" || syntax.text == "^");
  }
  [[nodiscard]] std::string textOf(std::uint32_t number) const {
    const TextSpan place = m_tree.at(number).place;
    return std::string(m_tree.text.substr(place.begin, place.end - place.begin));
  }

  /// Rejects `a > 1 & b > 2`, because NumPy's users and C++ read it differently from Python. The
  /// message shows both ways to write it.
  [[noreturn]] void ambiguous(std::span<const std::uint32_t> parts,
                              std::span<const std::string_view> signs) const {
    Readings readings;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0)
        readings.compare(signs[i - 1]);
      readings.bits += isOfBits(parts[i]) ? bracketed(textOf(parts[i])) : textOf(parts[i]);
      addOperands(parts[i], readings);
    }
    readings.endComparison();
    failAt(ErrorKind::usage, m_tree.text,
           {beginOf(parts.front()), m_tree.at(parts.back()).place.end},
           "'&', '|' and '^' next to a comparison need parentheses: write " + readings.conditions +
               ", or " + readings.bits);
  }

  /// The two ways to put parentheses into an expression of comparisons and bit operators.
  struct Readings {
    std::string conditions, bits; ///< `(a > 1) & (b > 2)`, `a > (1 & b) > 2`
    std::string open;             ///< the part of `conditions` behind the last '&', '|' or '^'
    bool isComparison = false;    ///< whether `open` is a comparison

    void compare(std::string_view sign) {
      for (std::string* text : {&open, &bits})
        text->append(1, ' ').append(sign).append(1, ' ');
      isComparison = true;
    }
    void endComparison() {
      conditions += isComparison ? bracketed(open) : open;
      open.clear();
      isComparison = false;
    }
  };

  void addOperands(std::uint32_t part, Readings& readings) const {
    if (!isOfBits(part)) {
      readings.open += textOf(part);
      return;
    }
    const Syntax& syntax = m_tree.at(part);
    addOperands(syntax.children[0], readings);
    readings.endComparison();
    readings.conditions.append(1, ' ').append(syntax.text).append(1, ' ');
    addOperands(syntax.children[1], readings);
  }

  /// Parses the operand of "in": "(11, 13)" or "[11, 13]".
  std::uint32_t sequence() {
    const std::size_t begin = peek().place.begin;
    const bool isRound = accept("(");
    if (!isRound)
      expect("[", "'in' needs a list of values, such as (11, 13)");
    std::vector<std::uint32_t> values = listUntil(isRound ? ")" : "]");
    if (values.empty())
      failAt(ErrorKind::usage, m_tree.text, {begin, m_tokens[m_at - 1].place.end},
             "the list of values is empty");
    return add(SyntaxKind::sequence, begin, {}, std::move(values));
  }

  std::vector<std::uint32_t> listUntil(std::string_view bracket) {
    std::vector<std::uint32_t> values;
    while (!accept(bracket)) {
      values.push_back(expression());
      if (!isNext(bracket))
        expect(",", "or a bracket is not closed");
    }
    return values;
  }

  std::uint32_t binary(std::size_t level) {
    if (level == std::size(binarySigns))
      return factor();
    std::uint32_t left = binary(level + 1);
    for (;;) {
      const std::string_view sign = acceptAny(binarySigns[level]);
      if (sign.empty())
        return left;
      const std::uint32_t right = binary(level + 1);
      left = add(SyntaxKind::binary, beginOf(left), sign, {left, right});
    }
  }

  std::uint32_t factor() {
    const Descent descent(*this);
    const std::size_t begin = peek().place.begin;
    if (const std::string_view sign = acceptAny(prefixes); !sign.empty())
      return add(SyntaxKind::unary, begin, sign, {factor()});
    const std::uint32_t base = postfix();
    if (!accept("**"))
      return base;
    const std::uint32_t exponent = factor();
    return add(SyntaxKind::binary, begin, "**", {base, exponent});
  }

  std::uint32_t postfix() {
    const std::size_t begin = peek().place.begin;
    std::uint32_t value = atom();
    for (;;) {
      if (accept(".")) {
        if (peek().kind != TokenKind::name)
          unexpected("a name should follow the dot");
        const std::string_view name = m_tokens[m_at++].text;
        value = add(SyntaxKind::attribute, begin, name, {value});
      } else if (accept("[")) {
        value = index(begin, value);
      } else if (isNext("(")) {
        if (m_tree.at(value).kind != SyntaxKind::name)
          unexpected(
              "functions are called by their name alone: sqrt(x), count(Muon), max(Muon.pt)");
        ++m_at;
        const std::string_view name = m_tree.at(value).text;
        std::vector<std::uint32_t> arguments = listUntil(")");
        value = add(SyntaxKind::call, begin, name, std::move(arguments));
      } else {
        return value;
      }
    }
  }

  std::uint32_t index(std::size_t begin, std::uint32_t value) {
    std::vector<std::uint32_t> bounds;
    bool isSlice = false;
    for (;;) {
      const bool isAbsent = isNext(":") || isNext("]") || isNext(",");
      bounds.push_back(isAbsent ? Syntax::absent : expression());
      if (!accept(":"))
        break;
      isSlice = true;
    }
    if (isNext(","))
      unexpected("only one index is possible: x[i] is the i-th value of each entry's list");
    expect("]", "a bracket is not closed");
    if (!isSlice && bounds[0] == Syntax::absent)
      failAt(ErrorKind::usage, m_tree.text, m_tokens[m_at - 1].place, "the index is missing");
    if (bounds.size() > 3)
      failAt(ErrorKind::usage, m_tree.text, m_tokens[m_at - 1].place, "a slice is [begin:end]");
    bounds.insert(bounds.begin(), value);
    return add(isSlice ? SyntaxKind::slice : SyntaxKind::index, begin, {}, std::move(bounds));
  }

  std::uint32_t atom() {
    const Token token = peek();
    if (accept("(")) {
      const std::uint32_t inner = expression();
      if (isNext(","))
        unexpected("several values in parentheses are allowed only after 'in'");
      expect(")", "a bracket is not closed");
      m_tree.nodes[inner].place = {token.place.begin, m_tokens[m_at - 1].place.end};
      m_tree.nodes[inner].isBracketed = true;
      return inner;
    }
    SyntaxKind kind = SyntaxKind::name;
    switch (token.kind) {
    case TokenKind::integer:
      kind = SyntaxKind::integer;
      break;
    case TokenKind::real:
      kind = SyntaxKind::real;
      break;
    case TokenKind::string:
      kind = SyntaxKind::string;
      break;
    case TokenKind::name:
      if (token.text == "True" || token.text == "False")
        kind = SyntaxKind::boolean;
      else if (isWord(token.text))
        unexpected("a value is missing before '" + std::string(token.text) + "'");
      break;
    case TokenKind::end:
      unexpected("a value is missing at the end");
    case TokenKind::symbol:
      unexpected("a value is missing before '" + std::string(token.text) + "'");
    }
    ++m_at;
    return add(kind, token.place.begin, token.text, {});
  }

  std::vector<Token> m_tokens;
  std::size_t m_at = 0;
  std::uint32_t m_depth = 0;
  SyntaxTree m_tree;
};

} // namespace

SyntaxTree parse(std::string_view text) { return Parser(text).tree(); }

std::vector<std::string_view> conditionsOf(std::string_view text) {
  const SyntaxTree tree = parse(text);
  if (tree.at(tree.root).kind != SyntaxKind::conjunction)
    return {text};
  std::vector<std::string_view> conditions;
  for (const std::uint32_t child : tree.at(tree.root).children) {
    const TextSpan place = tree.at(child).place;
    conditions.push_back(text.substr(place.begin, place.end - place.begin));
  }
  return conditions;
}

} // namespace kaon::expression
