#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace kaon::sio {

/// Stores a value big-endian at `bytes`, which may have any alignment.
template <class T>
void storeBigEndian(T value, std::byte* bytes) noexcept {
  using Bits = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  auto bits = std::bit_cast<Bits>(value);
  if constexpr (sizeof(T) == 2)
    bits = __builtin_bswap16(bits);
  else if constexpr (sizeof(T) == 4)
    bits = __builtin_bswap32(bits);
  else if constexpr (sizeof(T) == 8)
    bits = __builtin_bswap64(bits);
  std::memcpy(bytes, &bits, sizeof bits);
}

/// Whether blocks and collections can have this name: letters, digits and '_'.
[[nodiscard]] bool isBlockName(std::string_view name);

/// Writes the blocks of a record one after another, as BlockReader reads them.
class BlockWriter {
public:
  /// `where` is the beginning of messages.
  explicit BlockWriter(std::string where) : m_where(std::move(where)) {}

  void beginBlock(std::string_view name, std::uint32_t version);
  /// Throws Error(usage) if the blocks so far are too long for a record.
  void endBlock();

  template <class T>
  void put(T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    storeBigEndian(value, m_bytes.grow(sizeof(T)));
  }
  void put(std::string_view text);
  /// Returns room for some bytes, with zeros as padding behind them.
  [[nodiscard]] std::byte* room(std::size_t bytes);
  /// Writes a count. Throws Error(usage) if it does not fit.
  void putCount(std::size_t count);
  /// Skips a count that is not known yet. setCount() writes it later.
  [[nodiscard]] std::size_t laterCount();
  void setCount(std::size_t place, std::uint32_t count) noexcept {
    storeBigEndian(count, m_bytes.data() + place);
  }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return m_bytes.bytes(); }
  void clear() noexcept { m_bytes.clear(); }

private:
  [[noreturn]] void failSize() const;

  std::string m_where;
  Buffer m_bytes;
  std::size_t m_block = 0;
};

/// Returns the compression that SIO's writers support for `how`: none or zlib. zstd becomes zlib
/// with LCIO's level. Throws Error(usage) for others; its message begins with `where`.
[[nodiscard]] Compression compressionOfRecords(Compression how, const std::string& where);

/// Appends a record of these blocks, uncompressed if compression does not make it smaller.
void appendRecord(std::string_view name, std::span<const std::byte> blocks, Compression how,
                  Buffer& out);
/// Like appendRecord(), for readers that expect all records to be compressed. Uses level 0 if `how`
/// is none.
void appendDeflatedRecord(std::string_view name, std::span<const std::byte> blocks, Compression how,
                          Buffer& out);

} // namespace kaon::sio
