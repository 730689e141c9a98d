#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/model/Component.h>
#include <kaon/detail/object/CollectionData.h>
#include <kaon/detail/object/IndexIterator.h>
#include <kaon/model/Datatype.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace kaon::detail {

/// The leaves of a member, with their offsets in its value.
template <class V>
[[nodiscard]] constexpr auto leavesOf() {
  if constexpr (IsComponent<V>)
    return ComponentLeaves<V>::value;
  else
    return std::array{LeafSpan{0, sizeof(V)}};
}
/// Returns the offset of a member in its struct.
template <class Struct, class V>
[[nodiscard]] std::size_t offsetOf(V Struct::*member) {
  static const Struct object{};
  return static_cast<std::size_t>(detail::bytesAt(&(object.*member)) - detail::bytesAt(&object));
}
/// Returns the leaf at this offset in the struct of a datatype. Throws Error(usage) if none begins
/// there.
[[nodiscard]] std::uint32_t leafAt(const Datatype& type, std::size_t offset);
/// A member of all objects of a collection, without copying: reading a value takes one load from
/// `base + i * stride`. Valid as long as the collection is unchanged and its frame stays at its
/// entry. A random access range; any thread.
template <class V>
class MemberColumn {
public:
  using value_type = V;
  using iterator = IndexIterator<MemberColumn>;
  using const_iterator = iterator;

  MemberColumn() = default;
  /// The column of the leaves from `first` on; for the library. Decodes them if they are in a file.
  MemberColumn(const CollectionData& data, std::uint32_t first) : m_size(data.size()) {
    for (std::uint32_t i = 0; i < m_leaves.size() && m_size > 0; ++i)
      m_leaves[i] = data.column(first + i);
  }

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  [[nodiscard]] V operator[](std::size_t i) const noexcept {
    if constexpr (m_parts == 1 && !IsComponent<V>) {
      return loadAs<V>(m_leaves[0].at(i));
    } else {
      V value;
      constexpr auto parts = detail::leavesOf<V>();
      for (std::size_t k = 0; k < m_parts; ++k)
        std::memcpy(detail::bytesAt(&value) + parts[k].offset, m_leaves[k].at(i), parts[k].size);
      return value;
    }
  }
  /// Throws std::out_of_range.
  [[nodiscard]] V at(std::size_t i) const {
    if (i >= m_size)
      detail::failIndex(i, m_size);
    return (*this)[i];
  }
  [[nodiscard]] iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {*this, m_size}; }

  /// Returns the distance in bytes from one object's value to the next; for a component, of its
  /// first scalar.
  [[nodiscard]] std::size_t stride() const noexcept { return m_leaves[0].stride; }
  /// Whether the values are an array, as they mostly are in files with split or member layout.
  [[nodiscard]] bool isContiguous() const noexcept {
    return m_parts == 1 && (m_size < 2 || stride() == sizeof(V)) &&
           detail::addressOf(m_leaves[0].base) % alignof(V) == 0;
  }
  /// Returns the values as an array. Throws Error(usage) unless isContiguous().
  [[nodiscard]] std::span<const V> span() const {
    if (!isContiguous())
      fail(ErrorKind::usage, "the values of this column are not contiguous: they are ", stride(),
           " bytes apart");
    return {detail::valuesAt<V>(m_leaves[0].base), m_size};
  }

private:
  static constexpr std::size_t m_parts = detail::leavesOf<V>().size();
  std::array<ColumnView, m_parts> m_leaves{};
  std::size_t m_size = 0;
};

} // namespace kaon::detail
