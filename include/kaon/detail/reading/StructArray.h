#pragma once

#include <kaon/array/ArrayFunctions.h>
#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/model/StructLeaves.h>
#include <kaon/detail/reading/EntryValue.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

// Puts generated structs together from their columns, such as edm4hep::MCParticleData, or
// edm4hep::TrackState in a list of each track:
//
//   for (auto [particles] : events.each<kaon::Array<edm4hep::MCParticleData>>("MCParticles"))
//     for (const edm4hep::MCParticleData& particle : particles)
//       sum += particle.momentum.x;

namespace kaon::detail {

/// The columns of a struct in a batch.
template <HasLeaves S>
class StructColumns {
public:
  static constexpr std::size_t size = StructLeaves<S>::value.size();

  /// Sets the addresses of the values. `columns(i)` returns column i.
  void view(const auto& columns) {
    for (std::size_t i = 0; i < size; ++i)
      m_places[i] = columns(i).values;
  }
  /// Returns the struct in a row. The compiler sees all loads, and drops those of unused members.
  [[nodiscard, gnu::always_inline]] inline S operator[](std::size_t row) const noexcept {
    constexpr auto& leaves = ComponentLeaves<S>::value;
    S value;
    auto* const out = detail::bytesAt(&value);
    [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
      (std::memcpy(out + leaves[i].offset, m_places[i] + row * leaves[i].size, leaves[i].size),
       ...);
    }
    (std::make_index_sequence<size>());
    return value;
  }

private:
  std::array<const std::byte*, size> m_places{};
};

/// The names and types of a struct's columns, whose rows are in `lists` levels of lists.
template <HasLeaves S, unsigned lists>
struct StructValue {
  static constexpr std::size_t size = StructColumns<S>::size;
  static constexpr std::array<std::string_view, size> memberNames = [] {
    std::array<std::string_view, size> names;
    for (std::size_t i = 0; i < size; ++i)
      names[i] = StructLeaves<S>::value[i].name;
    return names;
  }();
  static constexpr std::array<ColumnType, size> types = [] {
    std::array<ColumnType, size> types{};
    for (std::size_t i = 0; i < size; ++i)
      types[i] = {StructLeaves<S>::value[i].type, lists};
    return types;
  }();
  static constexpr std::array<std::uint32_t, size> extents = [] {
    std::array<std::uint32_t, size> extents{};
    for (std::size_t i = 0; i < size; ++i)
      extents[i] = StructLeaves<S>::value[i].extent;
    return extents;
  }();
  StructColumns<S> columns;
};

/// The structs of one entry, each put together on access. A view.
template <HasLeaves S>
class StructArray : public detail::ArrayTag {
public:
  using value_type = S;

  StructArray() = default;
  /// Views the rows [first, first + size) of the columns.
  StructArray(const detail::StructColumns<S>& columns, std::size_t first, std::size_t size) noexcept
      : m_columns(columns), m_first(first), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Returns struct `i`. Does not check `i`.
  [[nodiscard, gnu::always_inline]] inline S operator[](std::size_t i) const noexcept {
    return m_columns[m_first + i];
  }
  /// Returns struct `i`. Throws Error(usage) if `i` is out of range.
  [[nodiscard]] S at(std::size_t i) const {
    if (i >= m_size)
      fail(ErrorKind::usage, "index ", i, " is out of range in an array of size ", m_size);
    return (*this)[i];
  }
  /// Returns the structs where a mask is true.
  template <IsMask M>
  [[nodiscard]] Array<S> operator[](const M& mask) const {
    return filter(*this, mask);
  }
  [[nodiscard]] auto begin() const noexcept { return ArrayIterator<StructArray>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return ArrayIterator<StructArray>(*this, m_size); }

private:
  detail::StructColumns<S> m_columns;
  std::size_t m_first = 0;
  std::size_t m_size = 0;
};

/// A list of structs for each object of an entry. A view.
template <HasLeaves S>
class StructLists : public detail::ArrayTag {
public:
  using value_type = StructArray<S>;

  StructLists() = default;
  /// List i has the rows [offsets[i], offsets[i + 1]).
  StructLists(const detail::StructColumns<S>& columns, const std::uint32_t* offsets,
              std::size_t size) noexcept
      : m_columns(columns), m_offsets(offsets), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Returns list `i`. Does not check `i`.
  [[nodiscard]] value_type operator[](std::size_t i) const noexcept {
    return {m_columns, m_offsets[i], m_offsets[i + 1] - m_offsets[i]};
  }
  [[nodiscard]] auto begin() const noexcept { return ArrayIterator<StructLists>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return ArrayIterator<StructLists>(*this, m_size); }

private:
  detail::StructColumns<S> m_columns;
  const std::uint32_t* m_offsets = nullptr;
  std::size_t m_size = 0;
};

template <HasLeaves S>
struct EntryValue<S> : detail::StructValue<S, 0> {
  using Value = S;
  void view(const auto& values) { this->columns.view(values); }
  Value operator[](std::size_t entry) const noexcept { return this->columns[entry]; }
};

template <HasLeaves S>
struct EntryValue<Array<S>> : detail::StructValue<S, 1> {
  using Value = StructArray<S>;
  const std::uint32_t* offsets = nullptr;
  void view(const auto& values) {
    this->columns.view(values);
    offsets = values(0).offsets[0].data();
  }
  Value operator[](std::size_t entry) const noexcept {
    return {this->columns, offsets[entry], offsets[entry + 1] - offsets[entry]};
  }
};

template <HasLeaves S>
struct EntryValue<Array<Array<S>>> : detail::StructValue<S, 2> {
  using Value = StructLists<S>;
  const std::uint32_t* objects = nullptr;
  const std::uint32_t* lists = nullptr;
  void view(const auto& values) {
    this->columns.view(values);
    objects = values(0).offsets[0].data();
    lists = values(0).offsets[1].data();
  }
  Value operator[](std::size_t entry) const noexcept {
    return {this->columns, lists + objects[entry], objects[entry + 1] - objects[entry]};
  }
};

} // namespace kaon::detail
