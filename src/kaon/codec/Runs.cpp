#include <kaon/codec/Runs.h>

#include <kaon/base/OfThread.h>
#include <kaon/codec/Inner.h>
#include <kaon/codec/Numbers.h>
#include <kaon/detail/base/Memory.h>

#include <array>
#include <cstring>
#include <limits>

namespace kaon::codec {
namespace {

constexpr Element length{sizeof(std::uint32_t), false, false};

template <class T>
bool encodeNumbers(Element element, Bytes values, Compression how, Buffer& out) {
  auto& lengthMemory = ofThread<Buffer>();
  auto& numberMemory = ofThread<Buffer>();
  const std::size_t count = values.size() / sizeof(T);
  const std::size_t most = count / 2;
  if (most == 0 || count > std::numeric_limits<std::uint32_t>::max())
    return false;
  auto* const lengths =
      detail::valuesAt<std::uint32_t>(lengthMemory.assign((most + 1) * length.size).data());
  auto* const numbers = detail::valuesAt<T>(numberMemory.assign((most + 1) * sizeof(T)).data());
  std::size_t runs = 0;
  std::size_t begin = 0;
  T number = detail::loadAs<T>(values.data());
  for (std::size_t i = 1; i <= count; ++i) {
    const T next = i < count ? detail::loadAs<T>(values.data() + i * sizeof(T)) : T{};
    if (i < count && next == number)
      continue;
    if (runs == most)
      return false;
    lengths[runs] = static_cast<std::uint32_t>(i - begin - 1);
    numbers[runs++] = number;
    begin = i;
    number = next;
  }
  put(static_cast<std::uint32_t>(runs), out);
  putInner(length, std::as_bytes(std::span(lengths, runs)), how, out);
  putInner(element, std::as_bytes(std::span(numbers, runs)), how, out);
  return true;
}

template <std::size_t count, class T>
void fill(T number, std::byte* out) {
  std::array<T, count> numbers;
  numbers.fill(number);
  std::memcpy(out, numbers.data(), sizeof(numbers));
}

/// Writes each number as often as its length says. Returns false if that is not exactly all values.
/// Most runs are short, so each begins with 64 bytes at once; the next runs overwrite the excess.
template <class T>
bool spread(Bytes lengths, Bytes numbers, std::span<std::byte> values) {
  constexpr std::size_t atOnce = 64 / sizeof(T);
  const std::size_t runs = numbers.size() / sizeof(T);
  std::byte* out = values.data();
  std::size_t left = values.size() / sizeof(T);
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t here =
        std::size_t{detail::loadAs<std::uint32_t>(lengths.data() + run * length.size)} + 1;
    if (here > left)
      return false;
    const T number = detail::loadAs<T>(numbers.data() + run * sizeof(T));
    const std::size_t begun = left >= atOnce ? atOnce : 0;
    if (begun > 0)
      fill<atOnce>(number, out);
    for (std::size_t i = begun; i < here; ++i)
      std::memcpy(out + i * sizeof(T), &number, sizeof(T));
    out += here * sizeof(T);
    left -= here;
  }
  return left == 0;
}

template <class T>
bool decodeNumbers(Element element, Bytes stored, std::span<std::byte> values) {
  auto& lengthMemory = ofThread<Buffer>();
  auto& numberMemory = ofThread<Buffer>();
  StoredReader reader(stored);
  const std::size_t runs = reader.get<std::uint32_t>();
  if (runs == 0 || runs > values.size() / sizeof(T))
    return false;
  const std::span<std::byte> lengths = lengthMemory.assign(runs * length.size);
  const std::span<std::byte> numbers = numberMemory.assign(runs * sizeof(T));
  return takeInner(reader, length, lengths) && takeInner(reader, element, numbers) &&
         reader.atEnd() && spread<T>(lengths, numbers, values);
}

} // namespace

bool encodeRuns(Element element, Bytes values, Compression how, Buffer& out) {
  return element.isNumber() && withNumber(element.size, [&](auto number) {
           return encodeNumbers<decltype(number)>(element, values, how, out);
         });
}

bool decodeRuns(Element element, Bytes stored, std::span<std::byte> values) {
  return element.isNumber() && withNumber(element.size, [&](auto number) {
           return decodeNumbers<decltype(number)>(element, stored, values);
         });
}

} // namespace kaon::codec
