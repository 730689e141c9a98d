#include <kaon/base/FloatText.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <locale.h>
#include <string>
#include <string_view>
#include <type_traits>

#ifdef __APPLE__
#include <xlocale.h>
#endif

namespace kaon {
namespace {

/// Returns C's own locale, in which the decimal point is a point.
::locale_t localeOfC() {
  static const ::locale_t locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return locale;
}

template <class T>
T valueOf(const char* text, char** end) {
  if constexpr (std::is_same_v<T, float>)
    return ::strtof_l(text, end, localeOfC());
  else
    return ::strtod_l(text, end, localeOfC());
}

/// Whether the number in a text without sign is zero, in decimal or hexadecimal digits.
bool isZero(std::string_view digits) {
  return digits.substr(0, digits.find_first_of("eEpP")).find_first_of("123456789abcdfABCDF") ==
         std::string_view::npos;
}

template <class T>
std::from_chars_result parseByC(const char* first, const char* last, T& value,
                                std::chars_format format) {
  const std::string_view text(first, static_cast<std::size_t>(last - first));
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  constexpr std::string_view spacesAndPlus = " \t\n\v\f\r+";
  if (text.size() == sign || spacesAndPlus.find(text[sign]) != std::string_view::npos ||
      text[sign] == '-')
    return {first, std::errc::invalid_argument};
  const bool isNamed = std::string_view("iInN").find(text[sign]) != std::string_view::npos;
  const std::size_t prefix = format == std::chars_format::hex && !isNamed ? 2 : 0;
  std::string copy(text);
  const bool hasPrefix = text.size() > sign + 1 && text[sign] == '0' &&
                         (text[sign + 1] == 'x' || text[sign + 1] == 'X');
  if (hasPrefix) // std::from_chars() reads the zero alone
    copy.resize(sign + 1);
  if (prefix > 0)
    copy.insert(sign, "0x");
  char* end = nullptr;
  const T number = valueOf<T>(copy.c_str(), &end);
  const std::size_t read = static_cast<std::size_t>(end - copy.c_str());
  if (read <= sign + prefix)
    return {first, std::errc::invalid_argument};
  const char* const rest = first + (read - prefix);
  const std::string_view digits = text.substr(sign, read - prefix - sign);
  if (!isNamed && (std::isinf(number) || (number == 0 && !isZero(digits))))
    return {rest, std::errc::result_out_of_range};
  value = number;
  return {rest, std::errc()};
}

template <class T>
std::from_chars_result parse(const char* first, const char* last, T& value,
                             std::chars_format format) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(first, last, value, format);
#else
  return parseByC(first, last, value, format);
#endif
}

} // namespace

std::from_chars_result parseFloat(const char* first, const char* last, double& value,
                                  std::chars_format format) {
  return parse(first, last, value, format);
}

std::from_chars_result parseFloat(const char* first, const char* last, float& value,
                                  std::chars_format format) {
  return parse(first, last, value, format);
}

std::from_chars_result detail::parseFloatByC(const char* first, const char* last, double& value,
                                             std::chars_format format) {
  return parseByC(first, last, value, format);
}

std::from_chars_result detail::parseFloatByC(const char* first, const char* last, float& value,
                                             std::chars_format format) {
  return parseByC(first, last, value, format);
}

} // namespace kaon
