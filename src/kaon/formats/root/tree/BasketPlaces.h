#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::root {

/// A basket that lies in the record of its tree.
struct EmbeddedBasket {
  std::size_t index = 0;
  std::span<const std::byte> bytes; ///< from its key on
};

/// Where the baskets of a branch are: its arrays as they lie in the record of the tree. The numbers
/// are the file's and were not compared with each other.
class BasketPlaces {
public:
  BasketPlaces() = default;
  /// Arrays of 4 or 8 bytes each; `count` baskets, `entries` in all.
  BasketPlaces(std::size_t count, std::span<const std::byte> sizes,
               std::span<const std::byte> firstEntries, std::span<const std::byte> positions,
               std::uint64_t entries);

  [[nodiscard]] std::size_t size() const noexcept { return m_count; }
  [[nodiscard]] std::uint64_t entries() const noexcept { return m_entries; }
  [[nodiscard]] std::uint64_t firstEntry(std::size_t basket) const noexcept;
  /// The first entry after it.
  [[nodiscard]] std::uint64_t lastEntry(std::size_t basket) const noexcept {
    return basket + 1 < m_count ? firstEntry(basket + 1) : m_entries;
  }
  /// Where its record begins in the file.
  [[nodiscard]] std::uint64_t position(std::size_t basket) const noexcept;
  [[nodiscard]] std::uint32_t bytes(std::size_t basket) const noexcept;
  /// What all of them take in the file that have a record of their own, with their keys.
  [[nodiscard]] std::uint64_t storedBytes() const noexcept;
  /// The basket with an entry; size() if there is none.
  [[nodiscard]] std::size_t find(std::uint64_t entry) const noexcept;

  /// In their order.
  void embed(EmbeddedBasket basket) { m_embedded.push_back(basket); }
  /// The bytes of a basket in the tree's record; none if it is a record of its own.
  [[nodiscard]] std::span<const std::byte> embedded(std::size_t basket) const noexcept;

private:
  std::size_t m_count = 0;
  std::uint64_t m_entries = 0;
  std::span<const std::byte> m_sizes, m_firstEntries, m_positions;
  bool m_hasWideEntries = true, m_hasWidePositions = true;
  std::vector<EmbeddedBasket> m_embedded; // by index
};

} // namespace kaon::root
