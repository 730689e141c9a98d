#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/container/RecordKey.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// The header of a basket: its key, and the members that TBasket adds.
struct BasketHeader {
  RecordKey key;
  std::int32_t entryBytes = 0; ///< of each entry, if all have the same size
  std::uint32_t entries = 0;
  std::size_t dataBytes = 0; ///< of all entries
  std::uint8_t flag = 0;
  bool hasSizes = false; ///< instead of offsets
  /// Whether the basket does not store where its entries begin. Their counts give their sizes.
  [[nodiscard]] bool lacksOffsets() const noexcept { return flag >= withoutOffsets; }
  static constexpr std::uint8_t withoutOffsets = 80;
};

/// Reads the header. `isEmbedded` is true for a basket in its tree's record. The reader is behind
/// the header afterwards. Throws Error(corrupt), Error(version). `where` is for messages.
[[nodiscard]] BasketHeader readBasketHeader(BigEndianReader& reader, bool isEmbedded,
                                            const std::string& where);

/// One basket of a branch: the decompressed bytes of some consecutive entries.
class Basket {
public:
  /// Opens a basket from the bytes of its record, or from its bytes in the tree's record.
  /// Uncompressed baskets point into `record`. Throws Error(corrupt), Error(version). `where` is
  /// for messages.
  void open(std::span<const std::byte> record, bool isEmbedded, std::uint64_t firstEntry,
            const std::string& where);

  /// A buffer for the bytes of the record, if they are not in memory.
  [[nodiscard]] Buffer& room() noexcept { return m_record; }
  /// Whether the basket has its own memory for the values.
  [[nodiscard]] bool isDecompressed() const noexcept { return m_isDecompressed; }

  [[nodiscard]] std::uint64_t firstEntry() const noexcept { return m_firstEntry; }
  [[nodiscard]] std::uint64_t lastEntry() const noexcept { return m_firstEntry + m_entries; }
  [[nodiscard]] bool contains(std::uint64_t entry) const noexcept {
    return entry >= firstEntry() && entry < lastEntry();
  }
  /// Whether the basket does not store where its entries begin. Then setSizes() must be called.
  [[nodiscard]] bool lacksBounds() const noexcept { return m_bounds == Bounds::missing; }
  /// Sets the size of each entry in bytes.
  void setSizes(std::span<const std::uint32_t> sizes);

  /// Returns the bytes of entries [first, last), which must be in the basket. Throws
  /// Error(corrupt).
  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t first, std::uint64_t last) const;
  /// Returns the number of bytes in the basket before an entry, including its key.
  [[nodiscard]] std::size_t bytesBefore(std::uint64_t entry) const noexcept {
    return m_keyBytes + begin(static_cast<std::size_t>(entry - m_firstEntry));
  }
  /// Calls `use(entry, bytes)` for each of the entries [first, last), which must be in the basket.
  /// Throws Error(corrupt).
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
  /// Appends the basket as a basket with its own record has it. The bytes of the entries come
  /// first. If the sizes of entries vary, the number of entries and the start of each entry follow.
  void putSerialized(Buffer& out) const;
  /// The memory that the basket uses, in bytes.
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
  /// Returns the start of an entry in the data, or the end of the last entry.
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
  std::span<const std::byte> m_offsets; // of each entry, big-endian, from the key's start
  std::vector<std::uint32_t> m_ends;    // of each entry, unless offsets are stored
  std::uint64_t m_firstEntry = 0;
  std::size_t m_entries = 0;
  std::size_t m_entryBytes = 0;
  std::size_t m_keyBytes = 0;
  Bounds m_bounds = Bounds::fixed;
};

} // namespace kaon::root
