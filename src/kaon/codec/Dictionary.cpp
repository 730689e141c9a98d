#include <kaon/codec/Dictionary.h>

#include <kaon/base/OfThread.h>
#include <kaon/codec/BitPacking.h>
#include <kaon/codec/Inner.h>
#include <kaon/codec/Numbers.h>
#include <kaon/codec/Selection.h>

#include <algorithm>
#include <array>

namespace kaon::codec {
namespace {

constexpr std::size_t mostNumbers = 256;

/// Numbers in the order of their first appearance.
template <class T>
class DistinctNumbers {
public:
  /// Returns the index of a number; mostNumbers if there is no space for it.
  std::size_t add(T number) {
    // Fibonacci hashing: the upper bits of the product depend on all bits of the number.
    std::size_t slot = static_cast<std::size_t>(number * 0x9E3779B97F4A7C15u >> 54);
    for (; m_slots[slot] != 0; slot = (slot + 1) % m_slots.size())
      if (m_numbers[m_slots[slot] - 1u] == number)
        return m_slots[slot] - 1u;
    if (m_count == mostNumbers)
      return mostNumbers;
    m_numbers[m_count] = number;
    m_slots[slot] = static_cast<std::uint16_t>(++m_count);
    return m_count - 1;
  }
  [[nodiscard]] std::span<const T> all() const { return {m_numbers.data(), m_count}; }

private:
  std::array<std::uint16_t, 1024> m_slots{}; // 0: free; else index + 1
  std::array<T, mostNumbers> m_numbers;
  std::size_t m_count = 0;
};

template <class T>
bool encodeNumbers(Bytes values, Compression how, Buffer& out) {
  auto& memory = ofThread<Buffer>();
  const std::size_t count = values.size() / sizeof(T);
  const std::span<std::byte> indices = memory.assign(count);
  DistinctNumbers<T> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = numbers.add(detail::loadAs<T>(values.data() + i * sizeof(T)));
    if (index == mostNumbers)
      return false;
    indices[i] = static_cast<std::byte>(index);
  }
  put(static_cast<std::uint8_t>(numbers.all().size() - 1), out);
  out.append(std::as_bytes(numbers.all()));
  putInner({1, false, false}, indices, how, out);
  return true;
}

bool areBelow(Bytes indices, std::size_t limit) {
  for (std::size_t first = 0; limit < mostNumbers && first < indices.size(); first += blockValues) {
    const BlockRange range = measureBlock(1, Transform::none, false, indices.data() + first,
                                          std::min(blockValues, indices.size() - first));
    if (range.least + range.span >= limit)
      return false;
  }
  return true;
}

} // namespace

bool encodeDictionary(Element element, Bytes values, Compression how, Buffer& out) {
  return element.isNumber() && withNumber(element.size, [&](auto number) {
           return encodeNumbers<decltype(number)>(values, how, out);
         });
}

bool decodeDictionary(Element element, Bytes stored, std::span<std::byte> values) {
  auto& memory = ofThread<Buffer>();
  if (!element.isNumber())
    return false;
  StoredReader reader(stored);
  const std::size_t numbers = reader.get<std::uint8_t>() + std::size_t{1};
  const Bytes storedNumbers = reader.take(numbers * element.size);
  const std::span<std::byte> indices = memory.assign(values.size() / element.size);
  if (!reader.ok() || !takeInner(reader, {1, false, false}, indices) || !reader.atEnd() ||
      !areBelow(indices, numbers))
    return false;
  alignas(64) std::array<std::byte, mostNumbers * 8> table;
  std::ranges::copy(storedNumbers, table.begin());
  std::fill(table.begin() + static_cast<std::ptrdiff_t>(storedNumbers.size()), table.end(),
            std::byte{0});
  lookUp(element.size, table.data(), indices.data(), indices.size(), values.data());
  return true;
}

} // namespace kaon::codec
