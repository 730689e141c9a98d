#include <kaon/formats/root/Documentation.h>

#include <kaon/base/Trim.h>
#include <kaon/base/Utf8.h>

#include <cstddef>

namespace kaon::root {
namespace {

bool isDigit(char c) noexcept { return c >= '0' && c <= '9'; }
/// Whether a name may have this character. Bytes that are not ASCII are part of "µ", "°" and
/// others.
bool isLetter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Recognises units by the grammar of docs/models.md, without blanks: names and numbers with
/// optional powers, joined by * and /.
class UnitReader {
public:
  explicit UnitReader(std::string_view text) : m_text(text) {}

  [[nodiscard]] bool isUnit() { return isProduct(0) && m_text.empty() && m_hasName; }

private:
  static constexpr int mostLevels = 8; // of nested parentheses
  static constexpr std::string_view dot = "·";

  bool isProduct(int level) {
    while (isPower(level))
      if (!take("*") && !take("/") && !take(dot))
        return true;
    return false;
  }

  bool isPower(int level) {
    if (take("(")) {
      if (level == mostLevels || !isProduct(level + 1) || !take(")"))
        return false;
    } else if (!isNumber() && !isName()) {
      return false;
    }
    if (!take("^"))
      return true;
    (void)take("-");
    return areDigits();
  }

  bool areDigits() {
    const std::size_t before = m_text.size();
    while (!m_text.empty() && isDigit(m_text.front()))
      m_text.remove_prefix(1);
    return m_text.size() < before;
  }
  bool isNumber() { return areDigits() && (!take(".") || areDigits()); }
  bool isName() {
    const std::string_view text = m_text;
    while (!m_text.empty() && !m_text.starts_with(dot) &&
           (isLetter(m_text.front()) || (m_text.size() < text.size() && isDigit(m_text.front()))))
      m_text.remove_prefix(1);
    m_hasName |= m_text.size() < text.size();
    return m_text.size() < text.size();
  }

  bool take(std::string_view what) {
    const bool isNext = m_text.starts_with(what);
    m_text.remove_prefix(isNext ? what.size() : 0);
    return isNext;
  }

  std::string_view m_text;
  bool m_hasName = false;
};

bool isUnit(std::string_view text) { return text == "1" || UnitReader(text).isUnit(); }

} // namespace

std::string textOf(std::string_view description, std::string_view unit) {
  std::string text(description);
  if (!unit.empty())
    text.append(text.empty() ? "[" : " [").append(unit).append("]");
  return text;
}

Documentation documentationIn(std::string_view text) {
  text = trimmed(text);
  if (!isUtf8(text))
    return {};
  const std::size_t bracket = text.rfind('[');
  const bool isApart =
      bracket == 0 || (bracket != std::string_view::npos && text[bracket - 1] == ' ');
  if (!isApart || !text.ends_with(']'))
    return {std::string(text), ""};
  const std::string_view unit = text.substr(bracket + 1, text.size() - bracket - 2);
  if (!isUnit(unit))
    return {std::string(text), ""};
  return {std::string(trimmed(text.substr(0, bracket))), std::string(unit)};
}

} // namespace kaon::root
