#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace kaon {

/// Growable memory, aligned to a cache line; new bytes are not initialised.
///
/// Events are built and read in short-lived buffers of some hundred bytes or kilobytes. Memory from
/// the system costs a page fault for every 4 KiB, far more than filling it. Finding an aligned
/// piece costs as much as creating several objects in it. Therefore each thread keeps the memory
/// that it released last, at most 8 MiB, for its next buffers.
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
  /// Removes the bytes from `size` on.
  void shrink(std::size_t size) noexcept { m_size = std::min(m_size, size); }

  /// Reserves space for `capacity` bytes; keeps the contents.
  void reserve(std::size_t capacity) {
    if (capacity > m_capacity)
      enlarge(capacity);
  }

  /// Grows by `count` bytes and returns their address.
  std::byte* grow(std::size_t count) {
    if (count > m_capacity - m_size) [[unlikely]]
      enlarge(m_size + count);
    std::byte* const begin = data() + m_size;
    m_size += count;
    return begin;
  }

  /// Resizes to exactly `size` bytes; discards the old contents.
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
