#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/root/ntuple/Envelope.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace kaon::root {

/// Writes an envelope in the form that Envelope.h reads: numbers, texts, and nested records and
/// lists of them. For one thread at a time.
class EnvelopeWriter {
public:
  explicit EnvelopeWriter(EnvelopeType type) : m_type(type) { put(std::uint64_t{0}); }

  template <class T>
    requires std::is_arithmetic_v<T>
  void put(T value) {
    std::memcpy(m_bytes.grow(sizeof(T)), &value, sizeof(T));
  }
  void putString(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    m_bytes.append(std::as_bytes(std::span(text)));
  }
  void putLocator(const Locator& locator) {
    put(static_cast<std::int32_t>(locator.bytes));
    put(locator.position);
  }
  void putLink(const EnvelopeLink& link) {
    put(link.length);
    putLocator(link.place);
  }

  /// Writes a record; `write` writes its contents.
  template <class Write>
  void record(Write write) {
    const std::size_t begin = open();
    write();
    close(begin, 1);
  }
  /// Writes a list; `write` writes its items and returns their number.
  template <class Write>
  void list(Write write) {
    const std::size_t begin = open();
    put(std::uint32_t{0});
    const auto items = static_cast<std::uint32_t>(write());
    std::memcpy(m_bytes.data() + begin + sizeof(std::int64_t), &items, sizeof(items));
    close(begin, -1);
  }
  /// Writes a list; `write` writes each item.
  template <class Items, class Write>
  void list(const Items& items, Write write) {
    list([&] {
      for (const auto& item : items)
        write(item);
      return std::size(items);
    });
  }
  void emptyList() {
    list([] { return 0; });
  }

  /// Returns the whole envelope with its length and checksum. Nothing may be written afterwards.
  [[nodiscard]] std::span<const std::byte> finish() {
    constexpr int typeBits = 16;
    const std::uint64_t length = m_bytes.size() + sizeof(std::uint64_t);
    const std::uint64_t head = static_cast<std::uint64_t>(m_type) | length << typeBits;
    std::memcpy(m_bytes.data(), &head, sizeof(head));
    m_checksum = kaon::checksum(m_bytes.bytes());
    put(m_checksum);
    return m_bytes.bytes();
  }
  /// The checksum by which other envelopes refer to this one. Call it after finish().
  [[nodiscard]] std::uint64_t checksum() const noexcept { return m_checksum; }

private:
  std::size_t open() {
    put(std::int64_t{0});
    return m_bytes.size() - sizeof(std::int64_t);
  }
  void close(std::size_t begin, std::int64_t sign) noexcept {
    const std::int64_t size = sign * static_cast<std::int64_t>(m_bytes.size() - begin);
    std::memcpy(m_bytes.data() + begin, &size, sizeof(size));
  }

  EnvelopeType m_type;
  Buffer m_bytes;
  std::uint64_t m_checksum = 0;
};

} // namespace kaon::root
