#pragma once

#include <kaon/array/Array.h>
#include <kaon/detail/batch/EntryValue.h>
#include <kaon/detail/batch/MemberType.h>

#include <cstddef>
#include <cstdint>
#include <optional>

// Optional members in loops over entries: std::optional<float> for one an entry,
// Array<std::optional<float>> for one an object, Array<std::optional<std::array<float, 2>>> for
// arrays that may be missing as a whole.
//
//   for (auto [times] : events.each<kaon::Array<std::optional<float>>>("Hits.time"))
//     for (const std::optional<float>& time : times)
//       if (time)
//         latest = std::max(latest, *time);

namespace kaon {

/// Values of one entry that may be missing. A view.
template <class T>
class Array<std::optional<T>> : public detail::ArrayTag {
public:
  using value_type = std::optional<T>;

  Array() = default;
  /// `present` has a byte for each value, 0 where it is missing; null: all are there.
  Array(const T* values, const std::byte* present, std::size_t size) noexcept
      : m_values(values), m_present(present), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Whether there is a value. Not checked.
  [[nodiscard]] bool has(std::size_t i) const noexcept {
    return !m_present || m_present[i] != std::byte{0};
  }
  /// Not checked.
  std::optional<T> operator[](std::size_t i) const noexcept {
    return has(i) ? std::optional<T>(m_values[i]) : std::nullopt;
  }
  /// Throws Error(usage).
  [[nodiscard]] std::optional<T> at(std::size_t i) const {
    if (i >= m_size)
      fail(ErrorKind::usage, "there is no value ", i, " in an array of ", m_size);
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
    values = reinterpret_cast<const T*>(column.values);
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
    values = reinterpret_cast<const T*>(column.values);
    present = column.present;
    offsets = column.offsets[0].data();
  }
  Array<std::optional<T>> operator[](std::size_t entry) const noexcept {
    const std::uint32_t first = offsets[entry];
    return {values + first, present ? present + first : nullptr, offsets[entry + 1] - first};
  }
};

} // namespace kaon
