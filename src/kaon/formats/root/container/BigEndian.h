#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kaon::root {

/// Returns the big-endian value at `bytes`, which may have any alignment.
template <class T>
[[nodiscard]] T loadBigEndian(const std::byte* bytes) noexcept {
  static_assert(std::is_arithmetic_v<T>);
  std::array<std::byte, sizeof(T)> turned;
  std::reverse_copy(bytes, bytes + sizeof(T), turned.begin());
  return std::bit_cast<T>(turned);
}

/// Stores a value big-endian at `bytes`, which may have any alignment.
template <class T>
void storeBigEndian(T value, std::byte* bytes) noexcept {
  static_assert(std::is_arithmetic_v<T>);
  const auto turned = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  std::reverse_copy(turned.begin(), turned.end(), bytes);
}

/// Writes big-endian numbers and strings one after another, as BigEndianReader reads them.
class BigEndianWriter {
public:
  template <class T>
  void put(T value) {
    storeBigEndian(value, m_buffer.grow(sizeof(T)));
  }
  /// Writes a position in a file as BigEndianReader::getPosition() reads it.
  void putPosition(std::uint64_t position, bool isWide) {
    isWide ? put(position) : put(static_cast<std::uint32_t>(position));
  }
  void putString(std::string_view text) {
    constexpr std::size_t longText = 255;
    if (text.size() < longText) {
      put(static_cast<std::uint8_t>(text.size()));
    } else {
      put(static_cast<std::uint8_t>(longText));
      put(static_cast<std::uint32_t>(text.size()));
    }
    m_buffer.append(std::as_bytes(std::span(text)));
  }
  /// Writes the text and a terminating zero.
  void putCString(std::string_view text) {
    m_buffer.append(std::as_bytes(std::span(text)));
    put(std::uint8_t{0});
  }
  void putZeros(std::size_t count) {
    if (count > 0)
      std::fill_n(m_buffer.grow(count), count, std::byte{0});
  }
  void putBytes(std::span<const std::byte> bytes) { m_buffer.append(bytes); }
  /// Replaces a value that put() wrote before.
  template <class T>
  void replace(std::size_t position, T value) noexcept {
    storeBigEndian(value, m_buffer.data() + position);
  }
  [[nodiscard]] std::size_t size() const noexcept { return m_buffer.size(); }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return m_buffer.bytes(); }

private:
  Buffer m_buffer;
};

/// The number of bytes that putString() writes.
[[nodiscard]] constexpr std::size_t stringBytes(std::string_view text) noexcept {
  return text.size() + (text.size() < 255 ? 1 : 5);
}

/// Reads big-endian numbers and strings one after another. ROOT uses this form outside of RNTuples.
/// Throws Error(corrupt) instead of reading past the end.
class BigEndianReader {
public:
  /// `where` names the place in messages, such as "events.root: tree 'Events'".
  BigEndianReader(std::span<const std::byte> bytes, std::string where)
      : m_bytes(bytes), m_where(std::move(where)) {}

  template <class T>
  [[nodiscard]] T get() {
    return loadBigEndian<T>(take(sizeof(T)).data());
  }
  /// Reads a position in a file. It has eight bytes in the wide form, for files above 2 GB, and
  /// four otherwise.
  [[nodiscard]] std::uint64_t getPosition(bool isWide) {
    return isWide ? get<std::uint64_t>() : get<std::uint32_t>();
  }
  /// Reads a string. Its length comes first, as one byte, or as 255 and four bytes.
  [[nodiscard]] std::string_view getString() {
    std::size_t size = get<std::uint8_t>();
    if (size == 255)
      size = get<std::uint32_t>();
    return text(take(size));
  }
  /// Reads a string up to the zero that ends it.
  [[nodiscard]] std::string_view getCString() {
    const auto rest = m_bytes.subspan(m_position);
    const auto end = std::ranges::find(rest, std::byte{0});
    const auto taken = take(static_cast<std::size_t>(end - rest.begin()));
    skip(1);
    return text(taken);
  }
  [[nodiscard]] std::span<const std::byte> take(std::size_t count) {
    if (count > m_bytes.size() - m_position)
      failShort();
    const auto taken = m_bytes.subspan(m_position, count);
    m_position += count;
    return taken;
  }
  void skip(std::size_t count) { (void)take(count); }
  /// Moves to a position. It must not be behind the end.
  void seek(std::size_t position) {
    if (position > m_bytes.size())
      failShort();
    m_position = position;
  }
  [[nodiscard]] std::size_t position() const noexcept { return m_position; }
  [[nodiscard]] std::size_t remaining() const noexcept { return m_bytes.size() - m_position; }
  [[nodiscard]] bool atEnd() const noexcept { return remaining() == 0; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return m_bytes; }
  [[nodiscard]] const std::string& where() const noexcept { return m_where; }

  /// Throws Error(corrupt) with the place, the position and the fault.
  [[noreturn]] void failHere(std::string_view what) const {
    fail(ErrorKind::corrupt, m_where, ", byte ", m_position, ": ", what);
  }

private:
  [[nodiscard]] static std::string_view text(std::span<const std::byte> bytes) noexcept {
    return {detail::valuesAt<char>(bytes.data()), bytes.size()};
  }
  [[noreturn]] void failShort() const { failHere("ends too early; the file is damaged"); }

  std::span<const std::byte> m_bytes;
  std::size_t m_position = 0;
  std::string m_where;
};

} // namespace kaon::root
