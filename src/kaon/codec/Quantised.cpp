#include <kaon/codec/Quantised.h>

#include <kaon/base/OfThread.h>
#include <kaon/codec/Inner.h>
#include <kaon/codec/RoundTo.h>
#include <kaon/codec/Rounding.h>
#include <kaon/codec/Selection.h>
#include <kaon/detail/base/Memory.h>

#include <cstring>
#include <limits>
#include <optional>

namespace kaon::codec {
namespace {

bool isFloat(Element element) {
  return element.isFloat && (element.size == 4 || element.size == 8);
}

constexpr Element numbersOf(std::uint32_t size) { return {size, false, false}; }

/// Narrows in place: a number is never written after the next one to read.
template <class N>
void narrow(std::span<std::byte> numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<N>(detail::loadAs<std::uint32_t>(numbers.data() + 4 * i));
    std::memcpy(numbers.data() + sizeof(N) * i, &number, sizeof(N));
  }
}

/// Narrows numbers to as few bytes each as the greatest needs; returns that size.
std::uint32_t narrow(std::span<std::byte> numbers, std::size_t count) {
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < count; ++i)
    all |= detail::loadAs<std::uint32_t>(numbers.data() + 4 * i);
  if (all > std::numeric_limits<std::uint16_t>::max())
    return 4;
  if (all > std::numeric_limits<std::uint8_t>::max()) {
    narrow<std::uint16_t>(numbers, count);
    return 2;
  }
  narrow<std::uint8_t>(numbers, count);
  return 1;
}

/// Sets the bits of values that are not steps and returns how many there are. They get the number
/// of the value before, which keeps all numbers small.
std::size_t findExceptions(Element element, const Steps& steps, Bytes values,
                           std::span<std::byte> numbers, std::span<std::byte> bitmap) {
  auto& memory = ofThread<Buffer>();
  const std::size_t count = values.size() / element.size;
  const std::span<std::byte> restored = memory.assign(values.size());
  fromNumbers(element.size, steps, 4, numbers.data(), count, restored.data());
  const std::size_t exceptions =
      compare(element.size, values.data(), restored.data(), count, bitmap.data());
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* const number = numbers.data() + i * sizeof(before);
    if ((std::to_integer<unsigned>(bitmap[i / 8]) >> i % 8 & 1) != 0)
      std::memcpy(number, &before, sizeof(before));
    else
      before = detail::loadAs<std::uint32_t>(number);
  }
  return exceptions;
}

void putExceptions(Element element, Bytes values, Bytes bitmap, std::size_t exceptions,
                   Compression how, Buffer& out) {
  auto& memory = ofThread<Buffer>();
  const std::span<std::byte> selected = memory.assign(exceptions * element.size);
  gather(element.size, values.data(), bitmap, selected.data());
  putPiece(how, bitmap, out);
  putInner(element, selected, how, out);
}

/// The exceptions and their positions.
struct Exceptions {
  Bytes bitmap;
  Bytes values;
};

/// Returns nothing if they are damaged. They are in memory that the next call reuses.
std::optional<Exceptions> takeExceptions(StoredReader& reader, Element element, std::size_t count) {
  auto& bitMemory = ofThread<Buffer>();
  auto& memory = ofThread<Buffer>();
  const std::size_t exceptions = reader.get<std::uint32_t>();
  if (exceptions == 0)
    return Exceptions{};
  const std::size_t size = (count + 7) / 8;
  const Bytes bitmap = takePiece(reader, size, bitMemory.assign(size).data());
  if (bitmap.size() != size || countBits(bitmap, count) != exceptions)
    return std::nullopt;
  const std::span<std::byte> values = memory.assign(exceptions * element.size);
  if (!takeInner(reader, element, values))
    return std::nullopt;
  return Exceptions{bitmap, values};
}

} // namespace

bool encodeQuantised(Element element, Bytes values, Compression how, Buffer& out) {
  auto& memory = ofThread<Buffer>();
  auto& bitMemory = ofThread<Buffer>();
  const Precision& precision = element.precision;
  if (precision.kind != Precision::Kind::range || !check(precision, element).empty())
    return false;
  const Steps steps = stepsIn(precision);
  const std::size_t count = values.size() / element.size;
  const std::span<std::byte> numbers = memory.assign(count * sizeof(std::uint32_t));
  const bool areAllSteps = toNumbers(element.size, steps, values.data(), count,
                                     detail::valuesAt<std::uint32_t>(numbers.data()));
  const std::span<std::byte> bitmap = bitMemory.assign(areAllSteps ? 0 : (count + 7) / 8);
  const std::size_t exceptions =
      areAllSteps ? 0 : findExceptions(element, steps, values, numbers, bitmap);
  if (exceptions > count / 2)
    return false;
  const std::uint32_t size = narrow(numbers, count);
  put(precision.low, out);
  put(precision.step, out);
  put(static_cast<std::uint8_t>(size), out);
  put(static_cast<std::uint32_t>(exceptions), out);
  if (exceptions > 0)
    putExceptions(element, values, bitmap, exceptions, how, out);
  putInner(numbersOf(size), numbers.first(count * size), how, out);
  return true;
}

bool decodeQuantised(Element element, Bytes stored, std::span<std::byte> values) {
  auto& memory = ofThread<Buffer>();
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
  const std::optional<Exceptions> exceptions = takeExceptions(reader, element, count);
  const std::span<std::byte> numbers = memory.assign(count * size);
  if (!exceptions || !takeInner(reader, numbersOf(size), numbers) || !reader.atEnd())
    return false;
  fromNumbers(element.size, steps, size, numbers.data(), count, values.data());
  scatter(element.size, exceptions->values.data(), exceptions->bitmap, values.data());
  return true;
}

} // namespace kaon::codec
