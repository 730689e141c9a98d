#pragma once

#include <kaon/array/ArrayFunctions.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kaon {

/// Contiguous lists, such as those of an entry's objects. A view.
template <class T>
class Array<Array<T>> : public detail::ArrayTag {
public:
  using value_type = Array<T>;

  Array() = default;
  /// List i has the values [offsets[i], offsets[i + 1]).
  Array(const T* values, const std::uint32_t* offsets, std::size_t size) noexcept
      : m_values(values), m_offsets(offsets), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Not checked.
  Array<T> operator[](std::size_t i) const noexcept {
    return {m_values + m_offsets[i], m_offsets[i + 1] - m_offsets[i]};
  }
  /// Returns all values of all lists.
  [[nodiscard]] Array<T> flat() const noexcept {
    return m_size == 0 ? Array<T>()
                       : Array<T>(m_values + m_offsets[0], m_offsets[m_size] - m_offsets[0]);
  }
  [[nodiscard]] auto begin() const noexcept { return detail::ArrayIterator<Array>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return detail::ArrayIterator<Array>(*this, m_size); }

private:
  const T* m_values = nullptr;
  const std::uint32_t* m_offsets = nullptr;
  std::size_t m_size = 0;
};

/// Contiguous texts, such as those of an entry's list. A view.
template <>
class Array<std::string_view> : public detail::ArrayTag {
public:
  using value_type = std::string_view;

  Array() = default;
  /// Text i has the characters [offsets[i], offsets[i + 1]).
  Array(const char* characters, const std::uint32_t* offsets, std::size_t size) noexcept
      : m_characters(characters), m_offsets(offsets), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Not checked.
  std::string_view operator[](std::size_t i) const noexcept {
    return {m_characters + m_offsets[i], m_offsets[i + 1] - m_offsets[i]};
  }
  [[nodiscard]] auto begin() const noexcept { return detail::ArrayIterator<Array>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return detail::ArrayIterator<Array>(*this, m_size); }

private:
  const char* m_characters = nullptr;
  const std::uint32_t* m_offsets = nullptr;
  std::size_t m_size = 0;
};

} // namespace kaon
