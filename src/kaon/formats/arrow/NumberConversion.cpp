#include <kaon/formats/arrow/NumberConversion.h>

#include <kaon/base/Error.h>

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace kaon::arrow {
namespace {

[[nodiscard]] bool isSigned(Scalar type) noexcept {
  return type == Scalar::Int8 || type == Scalar::Int16 || type == Scalar::Int32 ||
         type == Scalar::Int64;
}

/// Whether numbers of type `from` can be converted to the type `to`.
[[nodiscard]] bool canBecome(Scalar from, Scalar to) noexcept {
  if (to == Scalar::Bool || from == Scalar::Bool)
    return from == Scalar::Bool;
  return isFloat(to) || !isFloat(from);
}

/// Returns the smallest type that has all values of both.
Scalar commonType(Scalar a, Scalar b) noexcept {
  if (isFloat(a) || isFloat(b)) {
    const auto isShort = [](Scalar type) {
      return type == Scalar::Float32 || (!isFloat(type) && sizeOf(type) <= 2);
    };
    return isShort(a) && isShort(b) ? Scalar::Float32 : Scalar::Float64;
  }
  if (isSigned(a) == isSigned(b))
    return sizeOf(a) < sizeOf(b) ? b : a;
  const Scalar with = isSigned(a) ? a : b;
  const Scalar without = isSigned(a) ? b : a;
  if (sizeOf(with) > sizeOf(without))
    return with;
  switch (sizeOf(without)) {
  case 1:
    return Scalar::Int16;
  case 2:
    return Scalar::Int32;
  case 4:
    return Scalar::Int64;
  default:
    return Scalar::Float64;
  }
}

std::string whence(Scalar from, Scalar to) {
  const std::string text = "the type is that of the model, or of the first values written";
  if (from == Scalar::Bool || to == Scalar::Bool)
    return text;
  return text + ": if that is np.array(..., np." + std::string(nameOf(commonType(from, to))) +
         "), these fit, too";
}

template <class T>
T numberAt(const std::byte* values, std::size_t place) noexcept {
  T value;
  std::memcpy(&value, values + place * sizeof value, sizeof value);
  return value;
}

template <class T>
std::string textOf(T value) {
  std::array<char, 64> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// Whether a type keeps a value.
template <class To, class From>
bool keeps(From value, To converted) noexcept {
  if constexpr (std::integral<To>)
    return std::in_range<To>(value);
  else if constexpr (std::floating_point<From>)
    return std::isfinite(converted) || !std::isfinite(value);
  else if constexpr (sizeof(To) == sizeof(double) || sizeof(From) <= 2)
    return true;
  else // the limit is 2^digits: floats may not represent the largest integer exactly
    return converted < std::ldexp(To{1}, std::numeric_limits<From>::digits) &&
           static_cast<From>(converted) == value;
}

template <class To, class From>
void convert(const std::byte* values, std::size_t count, std::byte* out, Scalar from, Scalar to,
             std::string_view name) {
  for (std::size_t i = 0; i < count; ++i, out += sizeof(To)) {
    const auto value = numberAt<From>(values, i);
    const auto converted = static_cast<To>(value);
    if (!keeps<To>(value, converted)) [[unlikely]]
      fail(ErrorKind::usage, "'", name, "' holds ", nameOf(to), " values, and ", textOf(value),
           " does not fit; ", whence(from, to));
    std::memcpy(out, &converted, sizeof converted);
  }
}

} // namespace

void convertNumbers(Scalar from, const std::byte* values, std::size_t count, Scalar to,
                    std::byte* out, std::string_view name) {
  if (count == 0)
    return;
  if (from == to) {
    std::memcpy(out, values, count * sizeOf(to));
    return;
  }
  if (!canBecome(from, to))
    fail(ErrorKind::type, "'", name, "' holds ", nameOf(to), " values, which ", nameOf(from),
         " ones cannot become; ", whence(from, to));
  withScalar(to, [&]<class To>(To) {
    withScalar(from, [&]<class From>(From) {
      if constexpr (std::floating_point<To> || std::integral<From>)
        convert<To, From>(values, count, out, from, to, name);
    });
  });
}

} // namespace kaon::arrow
