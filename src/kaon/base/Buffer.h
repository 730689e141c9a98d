#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace kaon {

/// A growable piece of memory, aligned to a cache line, whose new bytes are not initialised.
class Buffer {
public:
  static constexpr std::size_t alignment = 64;

  Buffer() = default;

  [[nodiscard]] std::byte* data() noexcept { return m_bytes.get(); }
  [[nodiscard]] const std::byte* data() const noexcept { return m_bytes.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  [[nodiscard]] std::size_t capacity() const noexcept { return m_capacity; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data(), m_size}; }

  void clear() noexcept { m_size = 0; }
  /// Forgets the bytes from `size` on.
  void shrink(std::size_t size) noexcept { m_size = std::min(m_size, size); }

  /// Room for `capacity` bytes, the contents kept.
  void reserve(std::size_t capacity) {
    if (capacity <= m_capacity)
      return;
    capacity = std::max(capacity, m_capacity + m_capacity / 2);
    Memory grown{static_cast<std::byte*>(::operator new(capacity, std::align_val_t{alignment}))};
    if (m_size > 0)
      std::memcpy(grown.get(), data(), m_size);
    m_bytes = std::move(grown);
    m_capacity = capacity;
  }

  /// Grows by `count` bytes and returns where they begin.
  std::byte* grow(std::size_t count) {
    if (count > m_capacity - m_size)
      reserve(m_size + count);
    std::byte* const begin = data() + m_size;
    m_size += count;
    return begin;
  }

  /// Room for exactly these bytes, the old contents forgotten.
  std::span<std::byte> assign(std::size_t size) {
    m_size = 0;
    reserve(size);
    m_size = size;
    return {data(), size};
  }

  void append(std::span<const std::byte> bytes) {
    if (!bytes.empty())
      std::memcpy(grow(bytes.size()), bytes.data(), bytes.size());
  }

private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept {
      ::operator delete(bytes, std::align_val_t{alignment});
    }
  };
  using Memory = std::unique_ptr<std::byte, Free>;

  Memory m_bytes;
  std::size_t m_size = 0;
  std::size_t m_capacity = 0;
};

} // namespace kaon
