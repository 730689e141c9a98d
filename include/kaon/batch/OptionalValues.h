#pragma once

#include <kaon/detail/batch/MemberType.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kaon {

/// The values of a column, where any may be missing: a number or a std::array per row. A view,
/// valid as long as its batch.
template <class T>
class OptionalValues {
public:
  using value_type = std::optional<T>;

  OptionalValues() = default;
  /// `present` has one byte per value, 0 where the value is missing; null if all are present.
  /// `owner`, if given, keeps these bytes alive.
  OptionalValues(std::span<const T> values, const std::byte* present,
                 std::shared_ptr<const std::vector<std::byte>> owner = nullptr) noexcept
      : m_values(values), m_present(present), m_owner(std::move(owner)) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_values.size(); }
  [[nodiscard]] bool empty() const noexcept { return m_values.empty(); }
  /// Returns whether value `i` is present. Does not check `i`.
  [[nodiscard]] bool has(std::size_t i) const noexcept {
    return !m_present || m_present[i] != std::byte{0};
  }
  /// Returns value `i`. Does not check `i`.
  [[nodiscard]] std::optional<T> operator[](std::size_t i) const noexcept {
    return has(i) ? std::optional<T>(m_values[i]) : std::nullopt;
  }
  /// Returns all values as stored, for loops that compilers can vectorise. Values are meaningless
  /// where has() is false.
  [[nodiscard]] std::span<const T> stored() const noexcept { return m_values; }
  /// Returns one byte per value, 0 where the value is missing. Empty if all are present.
  [[nodiscard]] std::span<const std::byte> present() const noexcept {
    return m_present ? std::span(m_present, size()) : std::span<const std::byte>{};
  }

private:
  std::span<const T> m_values;
  const std::byte* m_present = nullptr;
  std::shared_ptr<const std::vector<std::byte>> m_owner;
};

} // namespace kaon
