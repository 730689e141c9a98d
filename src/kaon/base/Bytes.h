#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/detail/base/LoadAs.h>
#include <kaon/detail/base/Memory.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace kaon {

/// Writes consecutive numbers and strings; ByteReader reads them in the same order.
class ByteWriter {
public:
  template <class T>
    requires std::is_arithmetic_v<T>
  void put(T value) {
    std::memcpy(m_buffer.grow(sizeof(T)), &value, sizeof(T));
  }
  void put(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    m_buffer.append(std::as_bytes(std::span(text)));
  }
  void put(std::span<const std::byte> bytes) { m_buffer.append(bytes); }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return m_buffer.bytes(); }

private:
  Buffer m_buffer;
};

/// Reads the output of ByteWriter. Throws Error(corrupt) instead of reading past the end.
class ByteReader {
public:
  /// `where` names the place in messages, such as "events.kaon: index".
  ByteReader(std::span<const std::byte> bytes, std::string where)
      : m_rest(bytes), m_where(std::move(where)) {}

  template <class T>
  [[nodiscard]] T get() {
    static_assert(std::is_arithmetic_v<T>);
    return detail::loadAs<T>(take(sizeof(T)).data());
  }
  [[nodiscard]] std::string getString() {
    const auto bytes = take(get<std::uint32_t>());
    return {detail::valuesAt<char>(bytes.data()), bytes.size()};
  }
  [[nodiscard]] std::span<const std::byte> take(std::size_t count) {
    if (count > m_rest.size())
      failShort();
    const auto taken = m_rest.first(count);
    m_rest = m_rest.subspan(count);
    return taken;
  }
  [[nodiscard]] std::span<const std::byte> rest() const noexcept { return m_rest; }
  [[nodiscard]] bool atEnd() const noexcept { return m_rest.empty(); }
  [[nodiscard]] const std::string& where() const noexcept { return m_where; }

private:
  [[noreturn]] void failShort() const {
    fail(ErrorKind::corrupt, m_where, ": ends too early; the file is damaged");
  }

  std::span<const std::byte> m_rest;
  std::string m_where;
};

} // namespace kaon
