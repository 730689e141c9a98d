#include <kaon/codec/Quantised.h>

#include <kaon/codec/Inner.h>
#include <kaon/codec/RoundTo.h>
#include <kaon/codec/Rounding.h>

#include <limits>

namespace kaon::codec {
namespace {

bool isFloat(Element element) {
  return element.isFloat && (element.size == 4 || element.size == 8);
}

constexpr Element numbersOf(std::uint32_t size) { return {size, false, false}; }

/// In place; a number is never written behind one that is still to be read.
template <class N>
void narrow(std::span<std::byte> numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<N>(loadAs<std::uint32_t>(numbers.data() + 4 * i));
    std::memcpy(numbers.data() + sizeof(N) * i, &number, sizeof(N));
  }
}

/// To as few bytes each as the largest needs, which it returns.
std::uint32_t narrow(std::span<std::byte> numbers, std::size_t count) {
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < count; ++i)
    all |= loadAs<std::uint32_t>(numbers.data() + 4 * i);
  if (all > std::numeric_limits<std::uint16_t>::max())
    return 4;
  if (all > std::numeric_limits<std::uint8_t>::max()) {
    narrow<std::uint16_t>(numbers, count);
    return 2;
  }
  narrow<std::uint8_t>(numbers, count);
  return 1;
}

} // namespace

bool encodeQuantised(Element element, Bytes values, Compression how, Buffer& out) {
  thread_local Buffer memory;
  const Precision& precision = element.precision;
  if (precision.kind != Precision::Kind::range || !check(precision, element).empty())
    return false;
  const std::size_t count = values.size() / element.size;
  const std::span<std::byte> numbers = memory.assign(count * sizeof(std::uint32_t));
  if (!toNumbers(element.size, stepsIn(precision), values.data(), count,
                 reinterpret_cast<std::uint32_t*>(numbers.data())))
    return false;
  const std::uint32_t size = narrow(numbers, count);
  put(precision.low, out);
  put(precision.step, out);
  put(static_cast<std::uint8_t>(size), out);
  putInner(numbersOf(size), numbers.first(count * size), how, out);
  return true;
}

bool decodeQuantised(Element element, Bytes stored, std::span<std::byte> values) {
  thread_local Buffer memory;
  if (!isFloat(element))
    return false;
  StoredReader reader(stored);
  Steps steps;
  steps.low = reader.get<double>();
  steps.step = reader.get<double>();
  const std::uint32_t size = reader.get<std::uint8_t>();
  if (size != 1 && size != 2 && size != 4)
    return false;
  const std::size_t count = values.size() / element.size;
  const std::span<std::byte> numbers = memory.assign(count * size);
  if (!takeInner(reader, numbersOf(size), numbers) || !reader.atEnd())
    return false;
  fromNumbers(element.size, steps, size, numbers.data(), count, values.data());
  return true;
}

} // namespace kaon::codec
