#pragma once

#include <kaon/array/Array.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/MemberType.h>
#include <kaon/detail/reading/EntryValue.h>

#include <cstddef>
#include <cstdint>
#include <optional>

// The types for optional members in loops over entries:
// - std::optional<float>: one value per entry
// - Array<std::optional<float>>: one value per object
// - Array<std::optional<std::array<float, 2>>>: arrays that may be missing as a whole
//
//   for (auto [times] : events.each<kaon::Array<std::optional<float>>>("Hits.time"))
//     for (const std::optional<float>& time : times)
//       if (time)
//         latest = std::max(latest, *time);

namespace kaon {

/// The values of one entry, where any may be missing. A view.
template <class T>
class Array<std::optional<T>> : public detail::ArrayTag {
public:
  using value_type = std::optional<T>;

  Array() = default;
  /// `present` has one byte per value, 0 where the value is missing; null if all are present.
  Array(const T* values, const std::byte* present, std::size_t size) noexcept
      : m_values(values), m_present(present), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Returns whether value `i` is present. Does not check `i`.
  [[nodiscard]] bool has(std::size_t i) const noexcept {
    return !m_present || m_present[i] != std::byte{0};
  }
  /// Returns value `i`. Does not check `i`.
  std::optional<T> operator[](std::size_t i) const noexcept {
    return has(i) ? std::optional<T>(m_values[i]) : std::nullopt;
  }
  /// Returns value `i`. Throws Error(usage) if `i` is out of range.
  [[nodiscard]] std::optional<T> at(std::size_t i) const {
    if (i >= m_size)
      fail(ErrorKind::usage, "index ", i, " is out of range in an array of size ", m_size);
    return (*this)[i];
  }
  [[nodiscard]] auto begin() const noexcept { return detail::ArrayIterator<Array>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return detail::ArrayIterator<Array>(*this, m_size); }

private:
  const T* m_values = nullptr;
  const std::byte* m_present = nullptr;
  std::size_t m_size = 0;
};

template <class T>
struct detail::EntryValue<std::optional<T>> {
  static constexpr detail::ColumnType rows = {detail::MemberType<T>::scalar, 0};
  static constexpr std::uint32_t extent = detail::MemberType<T>::extent;
  const T* values = nullptr;
  const std::byte* present = nullptr;
  void view(const detail::ColumnValues& column) noexcept {
    values = detail::valuesAt<T>(column.values);
    present = column.present;
  }
  std::optional<T> operator[](std::size_t entry) const noexcept {
    return !present || present[entry] != std::byte{0} ? std::optional<T>(values[entry])
                                                      : std::nullopt;
  }
};

template <class T>
struct detail::EntryValue<Array<std::optional<T>>> {
  static constexpr detail::ColumnType rows = {detail::MemberType<T>::scalar, 1};
  static constexpr std::uint32_t extent = detail::MemberType<T>::extent;
  const T* values = nullptr;
  const std::byte* present = nullptr;
  const std::uint32_t* offsets = nullptr;
  void view(const detail::ColumnValues& column) noexcept {
    values = detail::valuesAt<T>(column.values);
    present = column.present;
    offsets = column.offsets[0].data();
  }
  Array<std::optional<T>> operator[](std::size_t entry) const noexcept {
    const std::uint32_t first = offsets[entry];
    return {values + first, present ? present + first : nullptr, offsets[entry + 1] - first};
  }
};

} // namespace kaon
