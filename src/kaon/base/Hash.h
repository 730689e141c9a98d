#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace kaon {

/// Returns XXH3-64 with seed 0 (https://github.com/Cyan4973/xxHash), the checksum of kaon's files.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes) noexcept;

/// The checksum of bytes that come in parts.
class ChecksumOfParts {
public:
  ChecksumOfParts();
  ~ChecksumOfParts();
  ChecksumOfParts(const ChecksumOfParts&) = delete;
  ChecksumOfParts& operator=(const ChecksumOfParts&) = delete;
  void add(std::span<const std::byte> bytes) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;

private:
  struct State;
  std::unique_ptr<State> m_state;
};

} // namespace kaon
