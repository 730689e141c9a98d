#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace kaon {

/// A growable piece of memory, aligned to a cache line, whose new bytes are not initialised.
///
/// Events are built and read through buffers that come and go, of a few hundred bytes or kilobytes.
/// From the system such memory costs a page fault for every 4 KiB, far more than filling it does,
/// and to find an aligned piece costs as much as creating several objects in it. So each thread
/// keeps what it released last, at most 8 MiB, for its next buffers.
class Buffer {
public:
  static constexpr std::size_t alignment = 64;

  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : m_bytes(std::move(other.m_bytes)), m_size(std::exchange(other.m_size, 0)),
        m_capacity(std::exchange(other.m_capacity, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    m_bytes = std::move(other.m_bytes);
    m_size = std::exchange(other.m_size, 0);
    m_capacity = std::exchange(other.m_capacity, 0);
    return *this;
  }

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
    if (capacity > m_capacity)
      enlarge(capacity);
  }

  /// Grows by `count` bytes and returns where they begin.
  std::byte* grow(std::size_t count) {
    if (count > m_capacity - m_size) [[unlikely]]
      enlarge(m_size + count);
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
  struct Release {
    Release() noexcept : capacity(0) {}
    explicit Release(std::size_t bytes) noexcept : capacity(bytes) {}
    std::size_t capacity;
    void operator()(std::byte* bytes) const noexcept;
  };
  using Memory = std::unique_ptr<std::byte, Release>;
  static Memory allocate(std::size_t capacity);
  void enlarge(std::size_t capacity);

  Memory m_bytes;
  std::size_t m_size = 0;
  std::size_t m_capacity = 0;
};

} // namespace kaon
