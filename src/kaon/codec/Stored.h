#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/codec/Codec.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace kaon::codec {

using Bytes = std::span<const std::byte>;

/// Parses stored bytes that are not yet checked. Missing bytes read as zero or empty, and ok()
/// returns false; it never throws, unlike ByteReader.
class StoredReader {
public:
  explicit StoredReader(Bytes bytes) noexcept : m_rest(bytes) {}

  template <class T>
  [[nodiscard]] T get() noexcept {
    static_assert(std::is_arithmetic_v<T>);
    const Bytes bytes = take(sizeof(T));
    return bytes.empty() ? T{} : detail::loadAs<T>(bytes.data());
  }
  /// Returns an unsigned number of 1, 2, 4 or 8 bytes.
  [[nodiscard]] std::uint64_t getNumber(std::size_t size) noexcept {
    std::uint64_t value = 0;
    const Bytes bytes = take(size);
    if (!bytes.empty())
      std::memcpy(&value, bytes.data(), size);
    return value;
  }
  [[nodiscard]] Bytes take(std::size_t count) noexcept {
    if (count > m_rest.size()) {
      m_ok = false;
      count = m_rest.size();
    }
    const Bytes taken = m_ok ? m_rest.first(count) : Bytes{};
    m_rest = m_rest.subspan(count);
    return taken;
  }
  [[nodiscard]] Bytes rest() noexcept { return take(m_rest.size()); }
  [[nodiscard]] std::size_t left() const noexcept { return m_rest.size(); }

  /// Whether all requested bytes existed.
  [[nodiscard]] bool ok() const noexcept { return m_ok; }
  [[nodiscard]] bool atEnd() const noexcept { return m_ok && m_rest.empty(); }

private:
  Bytes m_rest;
  bool m_ok = true;
};

template <class T>
void put(T value, Buffer& out) {
  static_assert(std::is_arithmetic_v<T>);
  std::memcpy(out.grow(sizeof(T)), &value, sizeof(T));
}
/// Appends the lowest `size` bytes.
inline void putNumber(std::uint64_t value, std::size_t size, Buffer& out) {
  std::memcpy(out.grow(size), &value, size);
}

/// Appends `bytes` compressed by `how` and returns the codec; appends them unchanged and returns
/// none if they do not get smaller. LZMA takes about fifty times longer to decode than Zstandard,
/// so Zstandard is used unless LZMA is clearly smaller.
[[nodiscard]] Codec shrink(Compression how, Bytes bytes, Buffer& out);

/// Returns the bytes that shrink() has compressed in this thread so far. The difference of two
/// calls is the number of bytes that codecs must make again to decode the pages encoded in between.
[[nodiscard]] std::uint64_t bytesShrunk() noexcept;

// A piece is a run of bytes, stored in the smallest of three ways:
// - the way (8 bit: a codec's number, 0 for unchanged, 255 for all equal),
// - the stored size (32 bit),
// - the stored bytes.

/// Appends `bytes` as a piece; there must be at least one.
void putPiece(Compression how, Bytes bytes, Buffer& out);

/// Returns the `size` bytes of a piece, either in the stored bytes or in `scratch`, which must have
/// that size. Returns another size if the piece is damaged.
[[nodiscard]] Bytes takePiece(StoredReader& stored, std::size_t size, std::byte* scratch) noexcept;

} // namespace kaon::codec
