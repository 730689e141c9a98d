#include <kaon/formats/root/objects/NumberLayout.h>

#include <kaon/base/FloatText.h>
#include <kaon/base/Trim.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/ByteOrder.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>

namespace kaon::root {
namespace {

constexpr int mostStepBits = 32;
constexpr int mostTruncatedBits = 14;
constexpr int usualTruncatedBits = 12;

struct Annotation {
  double low = 0, high = 0;
  int bits = mostStepBits;
};

/// Returns a bound of a range: a number, or pi in one of ROOT's spellings.
double boundIn(std::string_view spelling) {
  std::string lower(trimmed(spelling));
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string_view text = lower;
  const double sign = text.starts_with('-') ? -1 : 1;
  if (text.starts_with('-') || text.starts_with('+'))
    text.remove_prefix(1);
  if (text.find("pi") != std::string_view::npos) {
    const bool isTwice = text.starts_with('2') || text.starts_with("twopi");
    const double divisor = text.ends_with("/2") ? 2 : text.ends_with("/4") ? 4 : 1;
    return sign * (isTwice ? 2 : 1) * std::numbers::pi / divisor;
  }
  double value = 0;
  (void)parseFloat(text.data(), text.data() + text.size(), value); // invalid: 0
  return sign * value;
}

/// Returns the number of bits of each number. A missing or invalid number means the maximum.
int bitsIn(std::string_view text) noexcept {
  text = trimmed(text);
  int bits = mostStepBits;
  std::from_chars(text.data(), text.data() + text.size(), bits);
  return bits < 2 || bits > mostStepBits ? mostStepBits : bits;
}

/// Finds the range in a title: the first brackets with a comma.
std::optional<Annotation> annotationIn(std::string_view title) {
  std::size_t close = 0;
  for (std::size_t open = title.find('['); open != std::string_view::npos;
       open = title.find('[', close)) {
    close = title.find(']', open);
    if (close == std::string_view::npos)
      break;
    const std::string_view inside = title.substr(open + 1, close - open - 1);
    const std::size_t comma = inside.find(',');
    if (comma == std::string_view::npos)
      continue;
    const std::size_t second = std::min(inside.find(',', comma + 1), inside.size());
    Annotation annotation{boundIn(inside.substr(0, comma)),
                          boundIn(inside.substr(comma + 1, second - comma - 1))};
    if (second < inside.size())
      annotation.bits = bitsIn(inside.substr(second + 1));
    return annotation;
  }
  return std::nullopt;
}

/// Returns the scalar of number types that are stored without compaction.
std::optional<Scalar> scalarOf(std::int32_t type) noexcept {
  switch (type) {
  case charNumber:
    return Scalar::Int8;
  case shortNumber:
    return Scalar::Int16;
  case intNumber:
  case counterNumber:
    return Scalar::Int32;
  case longNumber:
  case long64Number:
    return Scalar::Int64;
  case floatNumber:
    return Scalar::Float32;
  case doubleNumber:
    return Scalar::Float64;
  case unsignedCharNumber:
    return Scalar::UInt8;
  case unsignedShortNumber:
    return Scalar::UInt16;
  case unsignedIntNumber:
    return Scalar::UInt32;
  case unsignedLongNumber:
  case unsignedLong64Number:
    return Scalar::UInt64;
  case boolNumber:
    return Scalar::Bool;
  default:
    return std::nullopt;
  }
}

NumberLayout compactForm(bool isDouble, std::string_view title) {
  const Annotation range = annotationIn(title).value_or(Annotation{});
  NumberLayout form{.type = isDouble ? Scalar::Float64 : Scalar::Float32};
  if (range.low < range.high) {
    const double steps = range.bits < mostStepBits ? std::ldexp(1.0, range.bits) : 0xFFFFFFFFU;
    form.kind = NumberLayout::Kind::steps;
    form.low = range.low;
    form.stepsPerUnit = steps / (range.high - range.low);
  } else if (range.bits <= mostTruncatedBits || !isDouble) {
    form.kind = NumberLayout::Kind::truncated;
    form.storedBytes = 3;
    form.bits = static_cast<std::uint8_t>(range.bits <= mostTruncatedBits ? range.bits
                                                                          : usualTruncatedBits);
  } else {
    form.kind = NumberLayout::Kind::widened;
  }
  return form;
}

float truncatedFloat(const std::byte* stored, int bits) noexcept {
  const auto exponent = static_cast<std::uint32_t>(stored[0]);
  const std::uint32_t mantissa = loadBigEndian<std::uint16_t>(stored + 1);
  const std::uint32_t kept = mantissa & ((1U << (bits + 1)) - 1);
  const auto value = std::bit_cast<float>((exponent << 23) | (kept << (23 - bits)));
  return (mantissa & (1U << (bits + 1))) != 0 ? -value : value;
}

template <class Float, class Decode>
void decodeEach(std::size_t count, std::byte* out, Decode decode) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<Float>(decode(i));
    std::memcpy(out + i * sizeof(Float), &value, sizeof(Float));
  }
}

template <class Float>
void decodeFloats(const NumberLayout& form, const std::byte* stored, std::size_t count,
                  std::byte* out) noexcept {
  if (form.kind == NumberLayout::Kind::truncated)
    decodeEach<Float>(count, out,
                      [&](std::size_t i) { return truncatedFloat(stored + i * 3, form.bits); });
  else if (form.kind == NumberLayout::Kind::widened)
    decodeEach<Float>(count, out, [&](std::size_t i) {
      return loadBigEndian<float>(stored + i * sizeof(float));
    });
  else
    decodeEach<Float>(count, out, [&](std::size_t i) {
      const double step = loadBigEndian<std::uint32_t>(stored + i * sizeof(std::uint32_t));
      return step / form.stepsPerUnit + form.low;
    });
}

} // namespace

std::optional<NumberLayout> formOf(std::int32_t type, std::string_view title) {
  if (type == double32Number || type == float16Number)
    return compactForm(type == double32Number, title);
  const auto scalar = scalarOf(type);
  if (!scalar)
    return std::nullopt;
  NumberLayout form{.type = *scalar, .storedBytes = static_cast<std::uint8_t>(sizeOf(*scalar))};
  if (*scalar == Scalar::Bool)
    form.kind = NumberLayout::Kind::boolean;
  return form;
}

std::optional<std::int32_t> numberNamed(std::string_view name) noexcept {
  struct Named {
    std::string_view name;
    std::int32_t type;
  };
  constexpr std::array names{Named{"char", charNumber},
                             Named{"Char_t", charNumber},
                             Named{"signed char", charNumber},
                             Named{"int8_t", charNumber},
                             Named{"short", shortNumber},
                             Named{"Short_t", shortNumber},
                             Named{"int16_t", shortNumber},
                             Named{"int", intNumber},
                             Named{"Int_t", intNumber},
                             Named{"int32_t", intNumber},
                             Named{"long", longNumber},
                             Named{"Long_t", longNumber},
                             Named{"long long", long64Number},
                             Named{"Long64_t", long64Number},
                             Named{"int64_t", long64Number},
                             Named{"float", floatNumber},
                             Named{"Float_t", floatNumber},
                             Named{"double", doubleNumber},
                             Named{"Double_t", doubleNumber},
                             Named{"Double32_t", double32Number},
                             Named{"Float16_t", float16Number},
                             Named{"unsigned char", unsignedCharNumber},
                             Named{"UChar_t", unsignedCharNumber},
                             Named{"uint8_t", unsignedCharNumber},
                             Named{"unsigned short", unsignedShortNumber},
                             Named{"UShort_t", unsignedShortNumber},
                             Named{"uint16_t", unsignedShortNumber},
                             Named{"unsigned int", unsignedIntNumber},
                             Named{"UInt_t", unsignedIntNumber},
                             Named{"unsigned", unsignedIntNumber},
                             Named{"uint32_t", unsignedIntNumber},
                             Named{"unsigned long", unsignedLongNumber},
                             Named{"ULong_t", unsignedLongNumber},
                             Named{"unsigned long long", unsignedLong64Number},
                             Named{"ULong64_t", unsignedLong64Number},
                             Named{"uint64_t", unsignedLong64Number},
                             Named{"size_t", unsignedLongNumber},
                             Named{"bool", boolNumber},
                             Named{"Bool_t", boolNumber}};
  for (const Named& each : names)
    if (each.name == name)
      return each.type;
  return std::nullopt;
}

void decodeNumbers(const NumberLayout& form, const std::byte* stored, std::size_t count,
                   std::byte* out) noexcept {
  if (form.kind == NumberLayout::Kind::plain && form.storedBytes == 1)
    std::copy_n(stored, count, out);
  else if (form.kind == NumberLayout::Kind::plain)
    turnBytes(form.storedBytes, stored, count, out);
  else if (form.kind == NumberLayout::Kind::little)
    std::copy_n(stored, count * form.storedBytes, out);
  else if (form.kind == NumberLayout::Kind::boolean)
    for (std::size_t i = 0; i < count; ++i)
      out[i] = stored[i] == std::byte{0} ? std::byte{0} : std::byte{1};
  else if (form.type == Scalar::Float64)
    decodeFloats<double>(form, stored, count, out);
  else
    decodeFloats<float>(form, stored, count, out);
}

} // namespace kaon::root
