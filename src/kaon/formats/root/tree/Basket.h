#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/container/Key.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// What a basket says of itself: its key, and what TBasket adds to it.
struct BasketHeader {
  Key key;
  std::int32_t entryBytes = 0; ///< where all have as many
  std::uint32_t entries = 0;
  std::size_t dataBytes = 0; ///< of all entries
  std::uint8_t flag = 0;
  bool hasSizes = false; ///< in place of offsets
  /// Whether it does not say where its entries begin: their counts do.
  [[nodiscard]] bool lacksOffsets() const noexcept { return flag >= withoutOffsets; }
  static constexpr std::uint8_t withoutOffsets = 80;
};

/// Reads it; `isEmbedded`: of a basket that lies in its tree's record. The reader stands behind it
/// then. Throws Error(corrupt), Error(version). `where` is for messages.
[[nodiscard]] BasketHeader readBasketHeader(BigEndianReader& reader, bool isEmbedded,
                                            const std::string& where);

/// One basket of a branch: the bytes of a run of entries, decompressed.
class Basket {
public:
  /// From the bytes of a basket's record, or of one that lies in its tree's record; the basket
  /// points into them where they are not compressed. Throws Error(corrupt), Error(version). `where`
  /// is for messages.
  void open(std::span<const std::byte> record, bool isEmbedded, std::uint64_t firstEntry,
            const std::string& where);

  /// Room for the bytes of its record, if they do not lie in memory.
  [[nodiscard]] Buffer& room() noexcept { return m_record; }
  /// Whether its values lie in memory of its own.
  [[nodiscard]] bool isDecompressed() const noexcept { return m_isDecompressed; }

  [[nodiscard]] std::uint64_t firstEntry() const noexcept { return m_firstEntry; }
  [[nodiscard]] std::uint64_t lastEntry() const noexcept { return m_firstEntry + m_entries; }
  [[nodiscard]] bool contains(std::uint64_t entry) const noexcept {
    return entry >= firstEntry() && entry < lastEntry();
  }
  /// Whether it does not say where its entries begin: setBounds() must.
  [[nodiscard]] bool lacksBounds() const noexcept { return m_bounds == Bounds::missing; }
  /// The bytes of each entry.
  void setSizes(std::span<const std::uint32_t> sizes);

  /// The bytes of entries [first, last), which must be in it. Throws Error(corrupt).
  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t first, std::uint64_t last) const;
  /// How many bytes of the basket, with its key, lie before those of an entry in it.
  [[nodiscard]] std::size_t bytesBefore(std::uint64_t entry) const noexcept {
    return m_keyBytes + begin(static_cast<std::size_t>(entry - m_firstEntry));
  }
  /// Calls `use(entry, bytes)` for each of the entries [first, last), which must be in it. Throws
  /// Error(corrupt).
  template <class Use>
  void forEntries(std::uint64_t first, std::uint64_t last, Use use) const {
    std::size_t from = begin(static_cast<std::size_t>(first - m_firstEntry));
    for (std::uint64_t entry = first; entry < last; ++entry) {
      const std::size_t to = begin(static_cast<std::size_t>(entry + 1 - m_firstEntry));
      if (from > to || to > m_data.size())
        failOffsets();
      use(entry, m_data.subspan(from, to - from));
      from = to;
    }
  }
  /// Appends the bytes of its entries and, where they have not all as many, how many entries there
  /// are and where each begins: as baskets with a record of their own have it.
  void putSerialized(Buffer& out) const;
  /// The memory that it takes.
  [[nodiscard]] std::size_t memory() const noexcept {
    return m_storage.capacity() + m_record.capacity() + m_ends.capacity() * sizeof(std::uint32_t);
  }

private:
  static constexpr std::size_t offsetBytes = sizeof(std::uint32_t);
  enum class Bounds : std::uint8_t { fixed, stored, summed, missing };
  void openRecord(std::span<const std::byte> record, const BasketHeader& header);
  void openEmbedded(std::span<const std::byte> rest, const BasketHeader& header);
  void takeOffsets(std::span<const std::byte> rest, const BasketHeader& header);
  void sumStoredSizes(std::size_t count);
  /// Where an entry begins in the data; where the last one ends.
  [[nodiscard]] std::size_t begin(std::size_t entry) const noexcept {
    if (m_bounds == Bounds::fixed)
      return entry * m_entryBytes;
    if (entry == m_entries)
      return m_data.size();
    if (m_bounds == Bounds::summed)
      return entry == 0 ? 0 : m_ends[entry - 1];
    return std::size_t{loadBigEndian<std::uint32_t>(&m_offsets[entry * offsetBytes])} - m_keyBytes;
  }
  [[noreturn]] void failOffsets() const;
  [[noreturn]] void failBasket(const std::string& what) const;

  Buffer m_storage, m_record;
  bool m_isDecompressed = false;
  std::string m_where;
  std::span<const std::byte> m_data;    // of the entries
  std::span<const std::byte> m_offsets; // of each entry, big-endian, from the key's begin
  std::vector<std::uint32_t> m_ends;    // of each entry, where they are not stored as offsets
  std::uint64_t m_firstEntry = 0;
  std::size_t m_entries = 0;
  std::size_t m_entryBytes = 0;
  std::size_t m_keyBytes = 0;
  Bounds m_bounds = Bounds::fixed;
};

} // namespace kaon::root
