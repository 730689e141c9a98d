#include <kaon/model/MemberDefault.h>

#include <kaon/base/FloatText.h>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace kaon {
namespace {

constexpr std::string_view blanks = " \t\n\r\f\v";

/// Reads initialisers from the beginning of a text.
class DefaultScanner {
public:
  explicit DefaultScanner(std::string_view text) : m_rest(text) {}

  /// Reads initialisers up to the end, or to the brace that closes the list.
  std::optional<std::vector<Initialiser>> list(std::size_t depth) {
    constexpr std::size_t deepest = 32;
    if (depth > deepest)
      return std::nullopt;
    std::vector<Initialiser> all;
    for (skip(); !m_rest.empty() && m_rest.front() != '}'; skip()) {
      if (take(','))
        continue;
      if (!take('{')) {
        all.push_back({literal(), {}});
        if (all.back().isList())
          return std::nullopt;
        continue;
      }
      auto inner = list(depth + 1);
      if (!inner || !take('}'))
        return std::nullopt;
      all.push_back({{}, std::move(*inner)});
    }
    if ((depth == 0) != m_rest.empty())
      return std::nullopt;
    return all;
  }

private:
  void skip() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(blanks), m_rest.size())); }
  bool take(char mark) {
    if (m_rest.empty() || m_rest.front() != mark)
      return false;
    m_rest.remove_prefix(1);
    return true;
  }
  /// Reads a literal up to the next separator. A character in quotes may be a separator.
  std::string_view literal() {
    std::size_t end = m_rest.find_first_of(" \t\n\r\f\v{},'");
    if (m_rest.front() == '\'')
      end = m_rest.find('\'', m_rest.size() > 1 && m_rest[1] == '\\' ? 3 : 2) + 1; // 0: no end
    end = std::min(end, m_rest.size());
    const std::string_view word = m_rest.substr(0, end);
    m_rest.remove_prefix(end);
    return word;
  }

  std::string_view m_rest;
};

/// A whole number of at most 64 bits and a sign.
struct Integer {
  bool isNegative = false;
  std::uint64_t magnitude = 0;
};

template <class T>
bool parse(std::string_view text, T& value, auto... format) {
  const char* const last = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<T>)
    result = parseFloat(text.data(), last, value, format...);
  else
    result = std::from_chars(text.data(), last, value, format...);
  return result.ec == std::errc() && result.ptr == last && !text.empty();
}

std::optional<Integer> integerOf(std::string_view text) {
  Integer number;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    number.isNegative = text.front() == '-';
    text.remove_prefix(1);
  }
  text = text.substr(0, text.find_last_not_of("uUlL") + 1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X"))
    base = 16;
  else if (text.starts_with("0b") || text.starts_with("0B"))
    base = 2;
  else if (text.size() > 1 && text.front() == '0')
    base = 8;
  if (base == 16 || base == 2)
    text.remove_prefix(2);
  return parse(text, number.magnitude, base) ? std::optional(number) : std::nullopt;
}

/// Returns the value of a character, such as 'x' or '\n'.
std::optional<Integer> characterOf(std::string_view text) {
  if (text.size() < 3 || text.front() != '\'' || text.back() != '\'')
    return std::nullopt;
  const std::string_view inside = text.substr(1, text.size() - 2);
  if (inside.size() == 1 && inside != "\\")
    return Integer{false, static_cast<unsigned char>(inside[0])};
  constexpr std::string_view names = "0abfnrtv\\'\"", values("\0\a\b\f\n\r\t\v\\'\"", 11);
  const std::size_t escape =
      inside.size() == 2 && inside[0] == '\\' ? names.find(inside[1]) : std::string_view::npos;
  if (escape == std::string_view::npos)
    return std::nullopt;
  return Integer{false, static_cast<unsigned char>(values[escape])};
}

template <class T>
bool write(const Integer& number, std::byte* to) {
  T value{};
  if constexpr (std::floating_point<T>) {
    value = static_cast<T>(number.magnitude);
    value = number.isNegative ? -value : value;
  } else {
    const std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    const std::uint64_t least = std::is_signed_v<T> ? most + 1 : 0; // its magnitude
    if (number.magnitude > (number.isNegative ? least : most))
      return false;
    value = static_cast<T>(number.isNegative ? 0 - number.magnitude : number.magnitude);
  }
  std::memcpy(to, &value, sizeof value);
  return true;
}

template <std::floating_point T>
bool writeFraction(std::string_view text, std::byte* to) {
  if (text.starts_with('+'))
    text.remove_prefix(1);
  const bool isPlain = text.find_first_not_of("0123456789.eE+-fFlL") == std::string_view::npos;
  const std::string_view digits = text.substr(0, text.find_last_not_of("fFlL") + 1);
  const bool isFloat = text.find_first_of("fF", digits.size()) != std::string_view::npos;
  float narrow{};
  T value{};
  if (!isPlain || !(isFloat ? parse(digits, narrow) : parse(digits, value)))
    return false;
  if (isFloat)
    value = narrow; // as in C++, where 0.1f is not 0.1
  std::memcpy(to, &value, sizeof value);
  return true;
}

} // namespace

std::optional<std::vector<Initialiser>> initialisersOf(std::string_view text) {
  return DefaultScanner(text).list(0);
}

bool writeLiteral(std::string_view literal, Scalar type, std::byte* to) {
  if (type == Scalar::Bool) {
    *to = std::byte{literal == "true"};
    return literal == "true" || literal == "false";
  }
  auto number = integerOf(literal);
  if (!number)
    number = characterOf(literal);
  return withScalar(type, [&]<class T>(T) {
    if (number)
      return write<T>(*number, to);
    if constexpr (std::floating_point<T>)
      return writeFraction<T>(literal, to);
    return false;
  });
}

void writeBits(std::uint64_t bits, Scalar type, std::byte* to) {
  withScalar(type, [&]<class T>(T) {
    const T value = static_cast<T>(bits);
    std::memcpy(to, &value, sizeof value);
  });
}

} // namespace kaon
