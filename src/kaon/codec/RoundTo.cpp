#include <kaon/codec/RoundTo.h>

#include <kaon/base/Error.h>
#include <kaon/codec/Rounding.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string_view>

namespace kaon::codec {
namespace {

template <class... Parts>
std::string join(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

struct FloatType {
  std::string_view name;
  unsigned mostMantissaBits; ///< that can be kept
  double most;
  double leastStep; ///< for numbers of about 1
};
constexpr FloatType float32{"float32", 22, std::numeric_limits<float>::max(),
                            2.0 * std::numeric_limits<float>::epsilon()};
constexpr FloatType float64{"float64", 51, std::numeric_limits<double>::max(),
                            8.0 * std::numeric_limits<double>::epsilon()};

std::string checkRange(const Precision& precision, const FloatType& type) {
  const double low = precision.low, step = precision.step, high = precision.high();
  if (!std::isfinite(low) || !std::isfinite(step) || step <= 0)
    return join("a range needs a finite low end (", low, ") and a finite step (", step,
                ") above 0");
  if (precision.last == 0)
    return join("the range from ", low, " must have from 1 to ",
                std::numeric_limits<std::uint32_t>::max(), " steps of ", step);
  const double far = std::max(std::abs(low), std::abs(high));
  if (far > type.most)
    return join("the range ends at ", high, ", beyond the range of ", type.name);
  if (step < far * type.leastStep)
    return join("steps of ", step, " are finer than ", type.name, " at ", far,
                "; make them at least ", far * type.leastStep);
  return {};
}

} // namespace

std::string check(const Precision& precision, Element element) {
  if (precision.kind == Precision::Kind::exact)
    return {};
  if (!element.isFloat || (element.size != 4 && element.size != 8))
    return "only float32 and float64 can have a lower precision; remove it";
  const FloatType& type = element.size == 4 ? float32 : float64;
  switch (precision.kind) {
  case Precision::Kind::mantissa:
    if (precision.bits < 1 || precision.bits > type.mostMantissaBits)
      return join("cannot keep ", int(precision.bits), " bits of a mantissa; of ", type.name,
                  " keep 1 to ", type.mostMantissaBits);
    return {};
  case Precision::Kind::range:
    return checkRange(precision, type);
  default:
    return join("precision number ", int(precision.kind), " does not exist");
  }
}

void roundTo(const Precision& precision, Element element, std::span<const std::byte> values,
             std::span<std::byte> out) {
  if (const std::string wrong = check(precision, element); !wrong.empty())
    fail(ErrorKind::usage, "values cannot be rounded: ", wrong);
  if (values.size() != out.size() || values.size() % element.size != 0)
    fail(ErrorKind::usage, "cannot round ", values.size(), " bytes into ", out.size(),
         " bytes; both must hold the same whole number of values of ", element.size, " bytes");
  const std::size_t count = values.size() / element.size;
  switch (precision.kind) {
  case Precision::Kind::exact:
    if (out.data() != values.data())
      std::ranges::copy(values, out.begin());
    return;
  case Precision::Kind::mantissa:
    return roundMantissas(element.size, precision.bits, values.data(), count, out.data());
  case Precision::Kind::range:
    return roundToSteps(element.size, stepsIn(precision), values.data(), count, out.data());
  }
}

} // namespace kaon::codec
