#include <kaon/formats/arrow/StreamNumbers.h>

#include <kaon/base/FloatText.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <system_error>

namespace kaon::arrow {
namespace {

template <class T>
T valueAt(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

float floatOfHalf(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1f;
  const int fraction = half & 0x3ff;
  float value = 0;
  if (exponent == 0x1f)
    value = fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                          : std::numeric_limits<float>::infinity();
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(fraction), -24);
  else
    value = std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
  return (half & 0x8000) != 0 ? -value : value;
}

/// The powers of ten that floats of 64 bits represent exactly.
constexpr auto exactPowers = [] {
  std::array<double, 23> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i)
    powers[i] = powers[i - 1] * 10;
  return powers;
}();

/// An integer of up to 256 bits without its sign, its lowest bits first.
struct Magnitude {
  std::array<std::uint32_t, 8> words{};
  std::size_t count = 0;

  /// Takes the magnitude of an integer in two's complement.
  Magnitude(const std::byte* bytes, std::uint32_t size, bool isNegative)
      : count(size / sizeof(std::uint32_t)) {
    std::memcpy(words.data(), bytes, size);
    for (std::uint64_t i = 0, carry = 1; isNegative && i < count; ++i, carry >>= 32) {
      carry += static_cast<std::uint32_t>(~words[i]);
      words[i] = static_cast<std::uint32_t>(carry);
    }
    trim();
  }

  void trim() {
    while (count > 0 && words[count - 1] == 0)
      --count;
  }
  /// Divides the integer. Returns the remainder.
  std::uint32_t divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = count; i-- > 0; rest %= divisor) {
      rest = rest << 32 | words[i];
      words[i] = static_cast<std::uint32_t>(rest / divisor);
    }
    trim();
    return static_cast<std::uint32_t>(rest);
  }
};

/// Returns the float nearest to an integer divided by 10^scale. Converts its decimal digits.
double nearestFloat(Magnitude integer, std::int32_t scale) {
  std::array<char, 128> text{};
  char* const exponent = text.data() + 100; // after all digits: 256 bits have fewer than 100
  *exponent = 'e';
  const auto end = std::to_chars(exponent + 1, text.data() + text.size(), -std::int64_t{scale}).ptr;
  char* begin = exponent;
  do {
    auto digits = integer.divide(1'000'000'000);
    for (int i = 0; i < 9; ++i, digits /= 10)
      *--begin = static_cast<char>('0' + digits % 10);
  } while (integer.count > 0);
  double value = 0;
  if (parseFloat(begin, end, value).ec == std::errc::result_out_of_range)
    value = scale > 0 ? 0 : std::numeric_limits<double>::infinity();
  return value;
}

double floatOfDecimal(const std::byte* bytes, std::uint32_t size, std::int32_t scale) {
  const bool isNegative = std::to_integer<unsigned>(bytes[size - 1]) >= 0x80;
  const Magnitude integer(bytes, size, isNegative);
  const std::uint64_t low = integer.words[0] | std::uint64_t{integer.words[1]} << 32;
  const bool isExact = integer.count <= 2 && low <= std::uint64_t{1} << 53 && scale >= 0 &&
                       scale < std::ssize(exactPowers);
  const double value = isExact
                           ? static_cast<double>(low) / exactPowers[static_cast<std::size_t>(scale)]
                           : nearestFloat(integer, scale);
  return isNegative ? -value : value;
}

std::optional<StreamNumber> time(std::string_view format) {
  constexpr std::string_view units[] = {"s", "ms", "us", "ns"};
  constexpr std::string_view letters = "smun";
  if (format == "tdD")
    return StreamNumber{.type = Scalar::Int32, .bytes = 4, .unit = "d"};
  if (format == "tdm")
    return StreamNumber{.type = Scalar::Int64, .bytes = 8, .unit = "ms"};
  const bool isStamp = format.starts_with("ts"); // with a time zone: "tsn:UTC"
  const bool isTime = format.starts_with("tt");
  if (format.size() < 3 || !(isStamp || isTime || format.starts_with("tD")))
    return std::nullopt;
  const std::size_t unit = letters.find(format[2]);
  if (unit == std::string_view::npos)
    return std::nullopt;
  const bool isShort = isTime && unit < 2;
  return StreamNumber{.type = isShort ? Scalar::Int32 : Scalar::Int64,
                      .bytes = isShort ? 4U : 8U,
                      .unit = units[unit]};
}

/// Returns the numbers of a decimal's format, such as "d:19,10". A third number is the bits if they
/// are not 128: "d:9,2,32".
std::optional<StreamNumber> decimal(std::string_view format) {
  std::array<std::int32_t, 3> parts{0, 0, 128};
  const char* at = format.data() + 1;
  const char* const end = format.data() + format.size();
  for (std::int32_t& part : parts) {
    if (at == end)
      break;
    const auto [rest, error] = std::from_chars(at + 1, end, part);
    if (error != std::errc() || (*at != ':' && *at != ','))
      return std::nullopt;
    at = rest;
  }
  const std::int32_t bits = parts[2];
  if (at != end || (bits != 32 && bits != 64 && bits != 128 && bits != 256))
    return std::nullopt;
  return StreamNumber{.type = Scalar::Float64,
                      .form = NumberForm::decimal,
                      .bytes = static_cast<std::uint32_t>(bits) / 8,
                      .scale = parts[1]};
}

} // namespace

std::optional<StreamNumber> streamNumber(std::string_view format) {
  constexpr std::string_view formats = "bcCsSiIlLfg";
  if (format == "e")
    return StreamNumber{.type = Scalar::Float32, .form = NumberForm::half, .bytes = 2};
  if (format.starts_with("d:"))
    return decimal(format);
  if (format.starts_with("t"))
    return time(format);
  const std::size_t place = format.size() == 1 ? formats.find(format) : std::string_view::npos;
  if (place == std::string_view::npos)
    return std::nullopt;
  const auto type = static_cast<Scalar>(place);
  return type == Scalar::Bool ? StreamNumber{.type = type, .form = NumberForm::bit}
                              : StreamNumber{.type = type, .bytes = sizeOf(type)};
}

void StreamNumber::store(const std::byte* values, std::size_t place,
                         std::byte* out) const noexcept {
  const std::byte* const at = values + place * bytes;
  switch (form) {
  case NumberForm::plain:
    std::memcpy(out, at, bytes);
    return;
  case NumberForm::bit:
    *out = values[place / 8] >> (place % 8) & std::byte{1};
    return;
  case NumberForm::half: {
    const float value = floatOfHalf(valueAt<std::uint16_t>(at));
    std::memcpy(out, &value, sizeof value);
    return;
  }
  case NumberForm::decimal: {
    const double value = floatOfDecimal(at, bytes, scale);
    std::memcpy(out, &value, sizeof value);
  }
  }
}

} // namespace kaon::arrow
