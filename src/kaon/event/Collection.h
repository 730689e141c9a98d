#pragma once

#include <kaon/base/Error.h>
#include <kaon/event/Handle.h>

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kaon {

/// What all collections are: the owner, or a view, of a CollectionData.
class CollectionBase {
public:
  virtual ~CollectionBase() = default;
  CollectionBase(CollectionBase&& other) noexcept
      : m_owned(std::move(other.m_owned)), m_data(std::exchange(other.m_data, nullptr)) {}
  CollectionBase& operator=(CollectionBase&& other) noexcept {
    m_owned = std::move(other.m_owned);
    m_data = std::exchange(other.m_data, nullptr);
    return *this;
  }

  [[nodiscard]] std::size_t size() const { return data().size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::string_view getValueTypeName() const { return data().type().name; }
  /// The frame's number for it.
  [[nodiscard]] std::uint32_t getID() const { return data().id(); }
  /// For the library. Throws Error(usage) after the collection was moved from.
  [[nodiscard]] CollectionData& data() const {
    if (!m_data) [[unlikely]]
      fail(ErrorKind::usage, "this collection was moved, into a frame or elsewhere");
    return *m_data;
  }

  /// A table, a line an object; see Print.h.
  friend std::ostream& operator<<(std::ostream& out, const CollectionBase& collection);

protected:
  explicit CollectionBase(const Datatype& type)
      : m_owned(std::make_unique<CollectionData>(type)), m_data(m_owned.get()) {}
  explicit CollectionBase(CollectionData& data) : m_data(&data) {}

private:
  std::unique_ptr<CollectionData> m_owned;
  CollectionData* m_data;
};

/// The objects of one datatype in one event: like a standard container of handles, move-only. T is
/// the generated handle class. One thread builds it; once in a frame, any number may read it.
template <class T>
class Collection : public CollectionBase {
public:
  using value_type = T;
  using mutable_type = typename T::MutableType;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  /// That of its objects.
  [[nodiscard]] static const Datatype& datatype() { return T::datatype(); }

  Collection() : CollectionBase(datatype()) {}
  /// A view; for the library.
  explicit Collection(CollectionData& data) : CollectionBase(data) {}

  /// Adds an object with default values.
  mutable_type create() { return {&data(), data().create()}; }
  /// Adds an object with all its members, in the order of the model.
  template <class... Members>
    requires(sizeof...(Members) > 0)
  mutable_type create(Members&&... members) {
    const typename T::DataType values(std::forward<Members>(members)...);
    const mutable_type object = create();
    std::memcpy(data().row(size() - 1), &values, sizeof values);
    return object;
  }
  /// Takes in a loose object: it, and every handle to it, is one of this collection from now on.
  /// Throws Error(usage) if it is in a collection already.
  void push_back(const T& object) {
    const ObjectPlace from = object.place();
    if (!from.data || !from.data->isLoose())
      fail(ErrorKind::usage, "push_back of a ", T::datatype().name,
           from.data ? " that is in a collection already: clone() it" : " handle to no object");
    const std::uint32_t index = data().addCopy(from, true);
    from.data->sendTo({&data(), index});
  }
  void reserve(std::size_t objects) { data().reserve(objects); }
  /// Removes all objects; handles to them must not be used any more.
  void clear() { data().clear(); }

  /// Adds a member to the objects of this collection, under a name that their datatype does not
  /// know; written and read with them. Objects that are not given a value have `missing`.
  /// What was read can be decorated too: `hits.decorate<float>("isolation")[hit] = 0.1F`. Throws
  /// Error(usage) for the name of a member, Error(type) if it was made with another type.
  template <class V>
    requires std::is_arithmetic_v<V>
  [[nodiscard]] Decoration<V, CollectionData> decorate(std::string_view name,
                                                       V missing = {}) const {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, &missing, sizeof missing);
    return {data().decorate(name, scalarOf<V>(), bytes), data()};
  }
  /// A decoration that this program added or the file has. Throws Error(name), with a suggestion,
  /// if there is none, Error(type) if its values are no V.
  template <class V>
    requires std::is_arithmetic_v<V>
  [[nodiscard]] DecorationView<V> decoration(std::string_view name) const {
    const auto found = data().decoration(name, scalarOf<V>());
    return {found.values, found.stored, found.missing, size()};
  }

  [[nodiscard]] T operator[](std::size_t i) const {
    return {&data(), static_cast<std::uint32_t>(i)};
  }
  [[nodiscard]] mutable_type operator[](std::size_t i) {
    return {&data(), static_cast<std::uint32_t>(i)};
  }
  /// Throw std::out_of_range.
  [[nodiscard]] T at(std::size_t i) const { return (*this)[checked(i)]; }
  [[nodiscard]] mutable_type at(std::size_t i) { return (*this)[checked(i)]; }

private:
  template <class Object>
  struct Elements {
    CollectionData* data = nullptr;
    [[nodiscard]] Object operator[](std::size_t i) const {
      return {data, static_cast<std::uint32_t>(i)};
    }
  };
  [[nodiscard]] std::size_t checked(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return i;
  }

public:
  using const_iterator = IndexIterator<Elements<T>>;
  using iterator = IndexIterator<Elements<mutable_type>>;
  [[nodiscard]] const_iterator begin() const { return {{&data()}, 0}; }
  [[nodiscard]] const_iterator end() const { return {{&data()}, size()}; }
  [[nodiscard]] const_iterator cbegin() const { return begin(); }
  [[nodiscard]] const_iterator cend() const { return end(); }
  [[nodiscard]] iterator begin() { return {{&data()}, 0}; }
  [[nodiscard]] iterator end() { return {{&data()}, size()}; }
};

} // namespace kaon
