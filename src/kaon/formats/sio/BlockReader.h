#pragma once

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/base/Memory.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace kaon::sio {

/// Returns the big-endian value at `bytes`, which may have any alignment.
template <class T>
[[nodiscard]] T loadBigEndian(const std::byte* bytes) noexcept {
  if constexpr (sizeof(T) == 1) {
    return std::bit_cast<T>(*bytes);
  } else {
    using Bits =
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    Bits bits;
    std::memcpy(&bits, bytes, sizeof bits);
    if constexpr (sizeof(T) == 2)
      bits = __builtin_bswap16(bits);
    else if constexpr (sizeof(T) == 4)
      bits = __builtin_bswap32(bits);
    else
      bits = __builtin_bswap64(bits);
    return std::bit_cast<T>(bits);
  }
}

/// A block of a record, for messages.
struct BlockPosition {
  std::string_view file;
  std::uint64_t record = 0; ///< its position
  std::string_view block;
  /// "events.slcio: record at byte 616, block 'MCParticles'".
  [[nodiscard]] std::string text() const {
    return std::string(file) + ": record at byte " + std::to_string(record) + ", block '" +
           std::string(block) + "'";
  }
};

/// Reads big-endian numbers and texts one after another, as SIO stores them. Consecutive values are
/// padded to a multiple of four bytes. Throws Error(corrupt) instead of reading past the end.
class BlockReader {
public:
  /// The texts of `place` must outlive this.
  BlockReader(std::span<const std::byte> bytes, const BlockPosition& place)
      : m_bytes(bytes), m_place(place) {}

  template <class T>
  [[nodiscard]] T get() {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    return loadBigEndian<T>(take(sizeof(T)));
  }
  /// Returns the next bytes, and skips their padding.
  [[nodiscard]] const std::byte* take(std::size_t count) {
    const std::size_t filled = (count + 3) / 4 * 4;
    if (filled < count || filled > m_bytes.size() - m_position)
      failHere("ends too early");
    const std::byte* const at = m_bytes.data() + m_position;
    m_position += filled;
    return at;
  }
  /// Reads the number of the items that follow. Each of them has at least `leastBytes` bytes.
  [[nodiscard]] std::uint32_t count(std::size_t leastBytes) {
    const auto count = get<std::int32_t>();
    if (count < 0 || static_cast<std::size_t>(count) > remaining() / leastBytes)
      failHere("claims " + std::to_string(count) + " items, but is too short for them");
    return static_cast<std::uint32_t>(count);
  }
  [[nodiscard]] std::string_view text() {
    const std::uint32_t size = count(1);
    return {detail::valuesAt<char>(take(size)), size};
  }
  void skipTexts(std::uint32_t texts) {
    for (std::uint32_t i = 0; i < texts; ++i)
      (void)text();
  }

  [[nodiscard]] std::size_t position() const noexcept { return m_position; }
  [[nodiscard]] std::size_t remaining() const noexcept { return m_bytes.size() - m_position; }
  [[nodiscard]] const BlockPosition& place() const noexcept { return m_place; }
  /// Returns a reader that begins at the position of this one.
  [[nodiscard]] BlockReader rest() const { return {m_bytes.subspan(m_position), m_place}; }

  /// Throws Error(corrupt) if bytes are left.
  void checkEnd() const {
    if (remaining() > 0)
      failHere("has " + counted(remaining(), "byte") + " behind its contents");
  }
  [[noreturn]] void failHere(const std::string& what) const {
    fail(ErrorKind::corrupt, m_place.text(), ": ", what, "; the file is damaged");
  }

private:
  std::span<const std::byte> m_bytes;
  std::size_t m_position = 0;
  BlockPosition m_place;
};

} // namespace kaon::sio
