#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/batch/Batch.h>
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

/// One decoration while it is in memory: a value for each of the first objects; the others have the
/// missing one.
struct DecorationValues {
  Scalar type = Scalar::Bool;
  std::uint64_t missing = 0; ///< its bytes
  Buffer values;

  /// Where the value of an object lies, until there are more objects than these.
  std::byte* at(std::size_t object, std::size_t objects);
};

/// What there is to know of a decoration but its values.
struct DecorationInfo {
  std::string name;
  Scalar type = Scalar::Bool;
  std::uint64_t missing = 0; ///< its bytes
};

/// The values of a decoration to read.
struct DecorationColumn {
  ColumnView column;
  std::size_t stored = 0;    ///< objects that have a value, from the first one on
  std::uint64_t missing = 0; ///< what the others have: its bytes
};

/// The decorations that a program added to one collection. They stay where they are.
class Decorations {
public:
  /// The one of this name, made if need be. Throws Error(usage) for the name of something that
  /// objects of the datatype have, Error(type) if it is of another type.
  DecorationValues& add(const Datatype& objects, std::string_view name, Scalar type,
                        std::uint64_t missing);
  /// Null if there is none.
  [[nodiscard]] const DecorationValues* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool isEmpty() const noexcept {
    return m_count.load(std::memory_order_acquire) == 0;
  }
  /// Not while others use them.
  void clear() noexcept {
    if (m_count.load(std::memory_order_relaxed) == 0)
      return;
    m_byName.clear();
    m_count.store(0, std::memory_order_relaxed);
  }
  /// Object i becomes the one that was at order[i].
  void reorder(std::span<const std::uint32_t> order);

private:
  mutable std::mutex m_mutex;
  std::map<std::string, std::unique_ptr<DecorationValues>, std::less<>> m_byName;
  std::atomic<std::size_t> m_count = 0; // mostly it is 0: then nothing is locked
};

namespace detail {
[[noreturn]] void failDecorated(std::size_t object, std::size_t objects);
} // namespace detail

/// A decoration to fill: a further member of a collection's objects under a name that their
/// datatype does not know. Lasts as long as the collection. One thread fills it.
template <class V, class Objects>
class Decoration {
public:
  Decoration(DecorationValues& values, const Objects& data) : m_values(&values), m_data(&data) {}

  /// The value of an object, by its index. It stays where it is until objects are added. Throws
  /// Error(usage) if there is no such object.
  V& operator[](std::size_t object) const {
    if (object >= m_data->size()) [[unlikely]]
      detail::failDecorated(object, m_data->size());
    return *reinterpret_cast<V*>(m_values->at(object, m_data->size()));
  }
  /// The value of an object of the collection.
  template <class Handle>
    requires requires(const Handle& handle) { handle.place().index(); }
  V& operator[](const Handle& handle) const {
    return (*this)[handle.place().index()];
  }

private:
  DecorationValues* m_values;
  const Objects* m_data;
};

/// A decoration to read, as long as the frame stays at its entry. Any thread.
template <class V>
class DecorationView {
public:
  DecorationView(DecorationColumn values, std::size_t objects)
      : m_values(values), m_objects(objects) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_objects; }
  [[nodiscard]] V operator[](std::size_t object) const noexcept {
    return loadAs<V>(object < m_values.stored
                         ? m_values.column.at(object)
                         : reinterpret_cast<const std::byte*>(&m_values.missing));
  }
  template <class Handle>
    requires requires(const Handle& handle) { handle.place().index(); }
  [[nodiscard]] V operator[](const Handle& handle) const noexcept {
    return (*this)[handle.place().index()];
  }

private:
  DecorationColumn m_values;
  std::size_t m_objects;
};

} // namespace kaon
