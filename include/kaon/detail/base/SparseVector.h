#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace kaon::detail {

/// An array of fixed size, initially with default values. Only parts that were written take memory,
/// so data for ten thousand columns cost nothing for unused ones. Addresses of elements do not
/// change.
template <class T>
class SparseVector {
public:
  explicit SparseVector(std::size_t size) : m_size(size), m_parts((size + part - 1) / part) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] T& operator[](std::size_t i) {
    auto& all = m_parts[i / part];
    if (!all) [[unlikely]]
      all = std::make_unique<std::array<T, part>>();
    return (*all)[i % part];
  }
  [[nodiscard]] const T& operator[](std::size_t i) const {
    static const T untouched{};
    const auto& all = m_parts[i / part];
    return all ? (*all)[i % part] : untouched;
  }

private:
  static constexpr std::size_t part = 16;
  std::size_t m_size;
  std::vector<std::unique_ptr<std::array<T, part>>> m_parts;
};

} // namespace kaon::detail
