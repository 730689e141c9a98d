#include <kaon/formats/kaonfile/PageBounds.h>

#include <kaon/base/Bytes.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace kaon::kaonfile {
namespace {

template <class T>
std::uint64_t bitsOf(T value) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T valueOf(std::uint64_t bits) noexcept {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Uses several lanes, so that compilers can vectorise although NaN makes the order matter.
template <class T>
PageBounds boundsOfValues(const T* values, std::size_t count) noexcept {
  constexpr bool isFloat = std::is_floating_point_v<T>;
  constexpr T top = isFloat ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  constexpr T bottom = isFloat ? -top : std::numeric_limits<T>::lowest();
  constexpr std::size_t lanes = 64 / sizeof(T);
  T least[lanes], greatest[lanes];
  // The flag is as wide as the values: else compilers do not vectorise.
  using Flag = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  Flag nan[lanes] = {};
  std::fill_n(least, lanes, top);
  std::fill_n(greatest, lanes, bottom);
  const auto take = [&](std::size_t lane, T value) {
    least[lane] = value < least[lane] ? value : least[lane];
    greatest[lane] = value > greatest[lane] ? value : greatest[lane];
    if constexpr (isFloat)
      nan[lane] |= value != value ? ~Flag{0} : Flag{0};
  };
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      take(lane, values[i + lane]);
  for (; i < count; ++i)
    take(0, values[i]);
  const bool hasNaN = std::any_of(nan, nan + lanes, [](Flag flag) { return flag != 0; });
  const T low = *std::min_element(least, least + lanes);
  const T high = *std::max_element(greatest, greatest + lanes);
  PageFlags flags = hasNaN ? PageFlags::hasNaN : PageFlags::none;
  if (low > high || count == 0)
    return {{}, flags | PageFlags::unbounded};
  return {{bitsOf(low), bitsOf(high)}, flags};
}

} // namespace

Extremes extremesOf(const PageBounds& bounds) noexcept {
  return {bounds.bounds.least, bounds.bounds.greatest, has(bounds.flags, PageFlags::unbounded),
          has(bounds.flags, PageFlags::hasNaN)};
}

PageBounds boundsOf(Scalar type, std::span<const std::byte> values) noexcept {
  return withScalar(type, [&]<class T>(T) {
    return boundsOfValues(detail::valuesAt<T>(values.data()), values.size() / sizeof(T));
  });
}

PageBounds boundsInRows(const Member& member, std::size_t rowSize,
                        std::span<const std::byte> rows) noexcept {
  const std::size_t count = rows.size() / rowSize;
  return withScalar(member.type, [&]<class T>(T) {
    PageBounds all;
    std::array<T, 1024> values; // Copies this many values next to each other, as in a column.
    for (std::size_t i = 0; i < member.extent; ++i) {
      const std::byte* next = rows.data() + member.offset + i * sizeof(T);
      for (std::size_t first = 0; first < count; first += values.size()) {
        const std::size_t taken = std::min(values.size(), count - first);
        for (std::size_t row = 0; row < taken; ++row, next += rowSize)
          values[row] = detail::loadAs<T>(next);
        all.add(boundsOfValues(values.data(), taken), member.type);
      }
    }
    return all;
  });
}

void PageBounds::add(const PageBounds& other, Scalar type) noexcept {
  const PageFlags nan = static_cast<PageFlags>(static_cast<unsigned>(flags | other.flags) &
                                               static_cast<unsigned>(PageFlags::hasNaN));
  if (has(other.flags, PageFlags::unbounded)) {
    flags = flags | nan;
  } else if (has(flags, PageFlags::unbounded)) {
    *this = {other.bounds, nan};
  } else {
    withScalar(type, [&]<class T>(T) {
      if (valueOf<T>(other.bounds.least) < valueOf<T>(bounds.least))
        bounds.least = other.bounds.least;
      if (valueOf<T>(other.bounds.greatest) > valueOf<T>(bounds.greatest))
        bounds.greatest = other.bounds.greatest;
    });
    flags = nan;
  }
}

} // namespace kaon::kaonfile
