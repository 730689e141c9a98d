#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/base/Memory.h>

#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace kaon::detail {

/// Memory of arrays of at least this many bytes is kept for reuse.
constexpr std::size_t leastLargeArray = std::size_t{1} << 20;

struct LargeMemoryRelease {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const noexcept;
};
using LargeMemory = std::unique_ptr<std::byte, LargeMemoryRelease>;
[[nodiscard]] LargeMemory takeLargeMemory(std::size_t bytes);

/// An array whose values will all be written: they are not initialised.
///
/// The system would clear new pages, which takes as long as decoding columns into them. Therefore
/// the memory of large arrays is reused after they are destroyed, up to 512 MiB. The system may
/// take it back at any time. Throws std::bad_alloc if memory is short.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size) : m_size(size) {
    if (const std::size_t bytes = bytesOf(size); bytes < leastLargeArray)
      m_small.assign(bytes);
    else
      m_large = detail::takeLargeMemory(bytes);
  }
  LargeArray(const LargeArray& other) : LargeArray(other.m_size) {
    if (m_size > 0)
      std::memcpy(data(), other.data(), m_size * sizeof(T));
  }
  LargeArray(LargeArray&& other) noexcept
      : m_small(std::move(other.m_small)), m_large(std::move(other.m_large)),
        m_size(std::exchange(other.m_size, 0)) {}
  LargeArray& operator=(LargeArray other) noexcept {
    m_small = std::move(other.m_small);
    m_large = std::move(other.m_large);
    m_size = other.m_size;
    return *this;
  }
  ~LargeArray() = default;

  [[nodiscard]] T* data() noexcept {
    return detail::valuesAt<T>(m_large ? m_large.get() : m_small.data());
  }
  [[nodiscard]] const T* data() const noexcept {
    return detail::valuesAt<T>(m_large ? m_large.get() : m_small.data());
  }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] const T* begin() const noexcept { return data(); }
  [[nodiscard]] const T* end() const noexcept { return data() + m_size; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data()[i]; }

private:
  static std::size_t bytesOf(std::size_t size) {
    if (size > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T))
      throw std::bad_alloc();
    return size * sizeof(T);
  }

  Buffer m_small;
  detail::LargeMemory m_large;
  std::size_t m_size = 0;
};

} // namespace kaon::detail
