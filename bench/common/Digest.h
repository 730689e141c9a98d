#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bench {

/// FNV-1a with 64 bits, which identifies data by one number.
class Digest {
public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes)
      m_value = (m_value ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211U;
  }
  template <class T>
  void addValue(const T& value) {
    add(std::as_bytes(std::span(&value, 1)));
  }
  [[nodiscard]] std::uint64_t value() const { return m_value; }

private:
  std::uint64_t m_value = 14695981039346656037U;
};

} // namespace bench
