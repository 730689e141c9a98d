#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/batch/Batch.h>
#include <kaon/detail/base/LoadAs.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/model/Datatype.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

namespace detail {

/// One decoration in memory: a value for each of the first objects; the others have `missing`.
struct DecorationValues {
  Scalar type = Scalar::Bool;
  std::uint64_t missing = 0; ///< the bytes of the value
  Buffer values;

  /// Returns the address of an object's value. It is valid until there are more than `objects`
  /// objects.
  std::byte* at(std::size_t object, std::size_t objects);
};

/// The name, type and default of a decoration.
struct DecorationInfo {
  std::string name;
  Scalar type = Scalar::Bool;
  std::uint64_t missing = 0; ///< the bytes of the value
};

/// The values of a decoration to read.
struct DecorationColumn {
  ColumnView column;
  std::size_t stored = 0;    ///< number of objects with a value, from the first one on
  std::uint64_t missing = 0; ///< the value of the others: its bytes
};

/// The decorations that a program added to one collection. Their addresses do not change.
class Decorations {
public:
  /// Returns the decoration of this name, and makes it if it is missing. Throws Error(usage) for a
  /// name that objects of the datatype use, Error(type) if it is of another type.
  DecorationValues& add(const Datatype& objects, std::string_view name, Scalar type,
                        std::uint64_t missing);
  /// Returns null if it is missing.
  [[nodiscard]] const DecorationValues* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool isEmpty() const noexcept {
    return m_count.load(std::memory_order_acquire) == 0;
  }
  /// Not while others use the decorations.
  void clear() noexcept {
    if (m_count.load(std::memory_order_relaxed) == 0)
      return;
    m_byName.clear();
    m_count.store(0, std::memory_order_relaxed);
  }
  /// Object i becomes the object that was at order[i].
  void reorder(std::span<const std::uint32_t> order);

private:
  mutable std::mutex m_mutex;
  std::map<std::string, std::unique_ptr<DecorationValues>, std::less<>> m_byName;
  std::atomic<std::size_t> m_count = 0; // mostly 0: then no lock is taken
};

} // namespace detail

namespace detail {
[[noreturn]] void failDecorated(std::size_t object, std::size_t objects);
} // namespace detail

/// A decoration to fill: a further member of a collection's objects, under a name that their
/// datatype does not have. Valid as long as the collection. One thread fills it.
template <class V, class Objects>
class Decoration {
public:
  Decoration(detail::DecorationValues& values, const Objects& data)
      : m_values(&values), m_data(&data) {}

  /// Returns the value of an object, by its index. The reference is valid until objects are added.
  /// Throws Error(usage) for an index beyond the end.
  V& operator[](std::size_t object) const {
    if (object >= m_data->size()) [[unlikely]]
      detail::failDecorated(object, m_data->size());
    return *detail::valuesAt<V>(m_values->at(object, m_data->size()));
  }
  /// Returns the value of an object of the collection.
  template <class Handle>
    requires requires(const Handle& handle) { handle.place().index(); }
  V& operator[](const Handle& handle) const {
    return (*this)[handle.place().index()];
  }

private:
  detail::DecorationValues* m_values;
  const Objects* m_data;
};

/// A decoration to read, valid as long as the frame stays at its entry. Any thread.
template <class V>
class DecorationView {
public:
  DecorationView(detail::DecorationColumn values, std::size_t objects)
      : m_values(values), m_objects(objects) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_objects; }
  [[nodiscard]] V operator[](std::size_t object) const noexcept {
    return detail::loadAs<V>(object < m_values.stored ? m_values.column.at(object)
                                                      : detail::bytesAt(&m_values.missing));
  }
  template <class Handle>
    requires requires(const Handle& handle) { handle.place().index(); }
  [[nodiscard]] V operator[](const Handle& handle) const noexcept {
    return (*this)[handle.place().index()];
  }

private:
  detail::DecorationColumn m_values;
  std::size_t m_objects;
};

} // namespace kaon
