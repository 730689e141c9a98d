#include <kaon/formats/root/tree/BasketPositions.h>

#include <kaon/formats/root/container/BigEndian.h>

#include <algorithm>

namespace kaon::root {
namespace {

constexpr std::size_t narrow = 4, wide = 8;

std::uint64_t numberIn(std::span<const std::byte> numbers, std::size_t i, bool isWide) noexcept {
  return isWide ? loadBigEndian<std::uint64_t>(&numbers[i * wide])
                : loadBigEndian<std::uint32_t>(&numbers[i * narrow]);
}

} // namespace

BasketPositions::BasketPositions(std::size_t count, std::span<const std::byte> sizes,
                                 std::span<const std::byte> firstEntries,
                                 std::span<const std::byte> positions, std::uint64_t entries)
    : m_entries(entries), m_sizes(sizes), m_firstEntries(firstEntries), m_positions(positions) {
  const std::size_t slots = sizes.size() / narrow; // of three arrays of the same length
  m_hasWideEntries = firstEntries.size() == slots * wide;
  m_hasWidePositions = positions.size() == slots * wide;
  m_count = std::min({count, slots, firstEntries.size() / (m_hasWideEntries ? wide : narrow),
                      positions.size() / (m_hasWidePositions ? wide : narrow)});
}

std::uint64_t BasketPositions::firstEntry(std::size_t basket) const noexcept {
  return numberIn(m_firstEntries, basket, m_hasWideEntries);
}

std::uint64_t BasketPositions::position(std::size_t basket) const noexcept {
  return isEmbedded(basket) ? 0 : numberIn(m_positions, basket, m_hasWidePositions);
}

std::uint32_t BasketPositions::bytes(std::size_t basket) const noexcept {
  return isEmbedded(basket) ? 0 : loadBigEndian<std::uint32_t>(&m_sizes[basket * narrow]);
}

std::size_t BasketPositions::find(std::uint64_t entry) const noexcept {
  // Searches for the last basket that does not begin behind the entry.
  std::size_t first = 0, last = m_count;
  while (last - first > 1) {
    const std::size_t middle = first + (last - first) / 2;
    (firstEntry(middle) <= entry ? first : last) = middle;
  }
  const bool isIn = first < m_count && firstEntry(first) <= entry && entry < lastEntry(first);
  return isIn ? first : m_count;
}

void BasketPositions::embed(EmbeddedBasket basket) {
  constexpr std::size_t emptyBasket = 17; // bytes
  if (basket.index < m_count && basket.bytes.size() > emptyBasket &&
      (position(basket.index) == 0 || bytes(basket.index) == 0))
    m_embedded.push_back(basket);
}

std::span<const std::byte> BasketPositions::embedded(std::size_t basket) const noexcept {
  const auto place = std::ranges::lower_bound(m_embedded, basket, {}, &EmbeddedBasket::index);
  const bool isHere = place != m_embedded.end() && place->index == basket;
  return isHere ? place->bytes : std::span<const std::byte>();
}

std::uint64_t BasketPositions::storedBytes() const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t basket = 0; basket < m_count; ++basket)
    sum += bytes(basket);
  return sum;
}

std::uint64_t BasketPositions::embeddedBytes() const noexcept {
  std::uint64_t sum = 0;
  for (const EmbeddedBasket& basket : m_embedded)
    sum += basket.bytes.size();
  return sum;
}

} // namespace kaon::root
