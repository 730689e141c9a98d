#pragma once

#include <kaon/detail/batch/MemberType.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kaon {

/// The values of a column where some may be missing: numbers, or a std::array of them in each
/// row. A view, which lasts as long as its batch.
template <class T>
class OptionalValues {
public:
  using value_type = std::optional<T>;

  OptionalValues() = default;
  /// `present` has a byte for each value, 0 where it is missing; null: all are there. `owner` keeps
  /// these bytes, if anything has to.
  OptionalValues(std::span<const T> values, const std::byte* present,
                 std::shared_ptr<const std::vector<std::byte>> owner = nullptr) noexcept
      : m_values(values), m_present(present), m_owner(std::move(owner)) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_values.size(); }
  [[nodiscard]] bool empty() const noexcept { return m_values.empty(); }
  /// Whether there is a value. Not checked.
  [[nodiscard]] bool has(std::size_t i) const noexcept {
    return !m_present || m_present[i] != std::byte{0};
  }
  /// Not checked.
  [[nodiscard]] std::optional<T> operator[](std::size_t i) const noexcept {
    return has(i) ? std::optional<T>(m_values[i]) : std::nullopt;
  }
  /// All values as they are stored, for loops that compilers can vectorise. Where has() is false
  /// they mean nothing.
  [[nodiscard]] std::span<const T> stored() const noexcept { return m_values; }
  /// A byte for each value, 0 where it is missing. Empty: all are there.
  [[nodiscard]] std::span<const std::byte> present() const noexcept {
    return m_present ? std::span(m_present, size()) : std::span<const std::byte>{};
  }

private:
  std::span<const T> m_values;
  const std::byte* m_present = nullptr;
  std::shared_ptr<const std::vector<std::byte>> m_owner;
};

} // namespace kaon
