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

/// Takes apart stored bytes that nobody has checked yet. What is not there reads as zero or empty,
/// and ok() says so; nothing throws, unlike ByteReader.
class StoredReader {
public:
  explicit StoredReader(Bytes bytes) noexcept : m_rest(bytes) {}

  template <class T>
  [[nodiscard]] T get() noexcept {
    static_assert(std::is_arithmetic_v<T>);
    const Bytes bytes = take(sizeof(T));
    return bytes.empty() ? T{} : loadAs<T>(bytes.data());
  }
  /// An unsigned number of 1, 2, 4 or 8 bytes.
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

  /// Whatever was asked for was there.
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
/// The lowest `size` bytes.
inline void putNumber(std::uint64_t value, std::size_t size, Buffer& out) {
  std::memcpy(out.grow(size), &value, size);
}

/// Appends `bytes` as `how` shrinks them and says by which codec, or as they are, by none. LZMA
/// takes some fifty times longer to decode than Zstandard, so it gives way to that where it is not
/// clearly smaller.
[[nodiscard]] Codec shrink(Compression how, Bytes bytes, Buffer& out);

/// The bytes that shrink() has made smaller in this thread so far. So the difference is what codecs
/// will have to make again of what was encoded meanwhile.
[[nodiscard]] std::uint64_t bytesShrunk() noexcept;

// A piece is a run of bytes that is stored in the smallest of three ways: how (8 bit: a codec's
// number, 0 for as it is, 255 for all the same), the stored size (32 bit), the stored bytes.

/// Appends `bytes`, of which there is at least one.
void putPiece(Compression how, Bytes bytes, Buffer& out);

/// The `size` bytes of a piece: where they are stored, or in `scratch`, which is so large. Anything
/// of another size if the piece is damaged.
[[nodiscard]] Bytes takePiece(StoredReader& stored, std::size_t size, std::byte* scratch) noexcept;

} // namespace kaon::codec
