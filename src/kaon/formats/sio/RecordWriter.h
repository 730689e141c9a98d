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

/// Stores a value big-endian at `bytes`, whatever their alignment.
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

/// Whether blocks, and so collections, can be called so: as names of C are, but for how they begin.
[[nodiscard]] bool isBlockName(std::string_view name);

/// Writes what BlockReader reads: the blocks of a record, one after another.
class BlockWriter {
public:
  /// `where` begins messages.
  explicit BlockWriter(std::string where) : m_where(std::move(where)) {}

  void beginBlock(std::string_view name, std::uint32_t version);
  /// Throws Error(usage) where the blocks so far are longer than those of a record can be.
  void endBlock();

  template <class T>
  void put(T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    storeBigEndian(value, m_bytes.grow(sizeof(T)));
  }
  void put(std::string_view text);
  /// Room for a run of bytes, which is filled up with zeros.
  [[nodiscard]] std::byte* room(std::size_t bytes);
  /// Writes a count. Throws Error(usage) for one that does not fit.
  void putCount(std::size_t count);
  /// Goes on behind a count that is not known yet; setCount() writes it.
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

/// How SIO's writers can store what `how` says: plain or zlib, where zstd, which they do not have,
/// is zlib of LCIO's level. Throws Error(usage), which begins with `where`, for others.
[[nodiscard]] Compression compressionOfRecords(Compression how, const std::string& where);

/// Appends a record of these blocks; plain where it would not become smaller.
void appendRecord(std::string_view name, std::span<const std::byte> blocks, Compression how,
                  Buffer& out);
/// The same for readers that take all records for compressed ones: of level 0 if `how` is none.
void appendDeflatedRecord(std::string_view name, std::span<const std::byte> blocks, Compression how,
                          Buffer& out);

} // namespace kaon::sio
