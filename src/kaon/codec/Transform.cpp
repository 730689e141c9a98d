#include <kaon/detail/codec/Transform.h>

#include <kaon/codec/Numbers.h>

#include <array>
#include <cstring>

namespace kaon::codec {
namespace {

constexpr std::array<std::string_view, 5> names{"none", "delta", "rotated", "zigzag", "xor"};

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// Moves the sign of a difference to its lowest bit: small differences become small numbers.
template <class T>
constexpr T zigzagged(T d) {
  return static_cast<T>(static_cast<T>(d << 1) ^ static_cast<T>(-(d >> (8 * sizeof(T) - 1))));
}
template <class T>
constexpr T difference(T z) {
  return static_cast<T>(static_cast<T>(z >> 1) ^ static_cast<T>(-(z & 1)));
}

/// Sets out[i] = change(value i - 1, value i).
template <class T, class Change>
void forEachNeighbours(const std::byte* values, std::size_t count, std::byte* out, Change change) {
  T before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const T value = load<T>(values + i * sizeof(T));
    const T changed = change(before, value);
    std::memcpy(out + i * sizeof(T), &changed, sizeof(T));
    before = value;
  }
}

/// Changes each value; a separate loop, so that the compiler uses vectors.
template <class T, class Change>
void forEach(std::byte* values, std::size_t count, Change change) {
  for (std::size_t i = 0; i < count; ++i) {
    const T changed = change(load<T>(values + i * sizeof(T)));
    std::memcpy(values + i * sizeof(T), &changed, sizeof(T));
  }
}

/// Sets value i = undo(the new value i - 1, value i).
template <class T, class Undo>
void accumulate(std::byte* values, std::size_t count, Undo undo) {
  T before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    before = undo(before, load<T>(values + i * sizeof(T)));
    std::memcpy(values + i * sizeof(T), &before, sizeof(T));
  }
}

} // namespace

std::string_view transformName(Transform transform) noexcept {
  const auto number = static_cast<std::size_t>(transform);
  return number < names.size() ? names[number] : "?";
}

void transformNumbers(Transform transform, unsigned size, const std::byte* values,
                      std::size_t count, std::byte* out) noexcept {
  withNumber(size, [&](auto number) {
    using T = decltype(number);
    if (transform == Transform::zigzag)
      forEachNeighbours<T>(values, count, out, [](T before, T value) {
        return zigzagged(static_cast<T>(value - before));
      });
    else if (transform == Transform::exclusiveOr)
      forEachNeighbours<T>(values, count, out,
                           [](T before, T value) { return static_cast<T>(value ^ before); });
    else
      std::memcpy(out, values, count * sizeof(T));
  });
}

void restoreNumbers(Transform transform, unsigned size, std::byte* values,
                    std::size_t count) noexcept {
  withNumber(size, [&](auto number) {
    using T = decltype(number);
    if (transform == Transform::zigzag) {
      forEach<T>(values, count, [](T z) { return difference(z); });
      accumulate<T>(values, count, [](T before, T d) { return static_cast<T>(before + d); });
    } else if (transform == Transform::exclusiveOr) {
      accumulate<T>(values, count, [](T before, T bits) { return static_cast<T>(before ^ bits); });
    }
  });
}

} // namespace kaon::codec
