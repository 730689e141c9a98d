#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::root {

/// A basket that is stored in the record of its tree.
struct EmbeddedBasket {
  std::size_t index = 0;
  std::span<const std::byte> bytes; ///< from its key on
};

/// The places of the baskets of a branch. It points to arrays in the record of the tree. Their
/// numbers are not checked for consistency.
class BasketPositions {
public:
  BasketPositions() = default;
  /// The arrays have 4 or 8 bytes per number. `count` is the number of baskets, `entries` the
  /// number of their entries.
  BasketPositions(std::size_t count, std::span<const std::byte> sizes,
                  std::span<const std::byte> firstEntries, std::span<const std::byte> positions,
                  std::uint64_t entries);

  [[nodiscard]] std::size_t size() const noexcept { return m_count; }
  [[nodiscard]] std::uint64_t entries() const noexcept { return m_entries; }
  [[nodiscard]] std::uint64_t firstEntry(std::size_t basket) const noexcept;
  /// The first entry behind the basket.
  [[nodiscard]] std::uint64_t lastEntry(std::size_t basket) const noexcept {
    return basket + 1 < m_count ? firstEntry(basket + 1) : m_entries;
  }
  /// The position of its record in the file, or 0 if the basket is in the tree's record. Writers
  /// leave positions of earlier baskets in the array.
  [[nodiscard]] std::uint64_t position(std::size_t basket) const noexcept;
  /// The size of its record, or 0.
  [[nodiscard]] std::uint32_t bytes(std::size_t basket) const noexcept;
  /// The size in the file of all baskets with their own record, including their keys.
  [[nodiscard]] std::uint64_t storedBytes() const noexcept;
  /// The size in the tree's record, before compression, of all baskets that lie there.
  [[nodiscard]] std::uint64_t embeddedBytes() const noexcept;
  /// Returns the basket with an entry, or size() if no basket has it.
  [[nodiscard]] std::size_t find(std::uint64_t entry) const noexcept;

  /// Adds a basket in the tree's record. Ignores it if the basket is empty or has its own record.
  /// Must be called in the order of the baskets.
  void embed(EmbeddedBasket basket);
  /// Returns the bytes of a basket in the tree's record. Empty for baskets with their own record.
  [[nodiscard]] std::span<const std::byte> embedded(std::size_t basket) const noexcept;

private:
  [[nodiscard]] bool isEmbedded(std::size_t basket) const noexcept {
    return !m_embedded.empty() && !embedded(basket).empty();
  }

  std::size_t m_count = 0;
  std::uint64_t m_entries = 0;
  std::span<const std::byte> m_sizes, m_firstEntries, m_positions;
  bool m_hasWideEntries = true, m_hasWidePositions = true;
  std::vector<EmbeddedBasket> m_embedded; // by index
};

} // namespace kaon::root
