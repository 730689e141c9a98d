#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/detail/object/Accessor.h>
#include <kaon/detail/object/CollectionData.h>
#include <kaon/detail/object/IndexIterator.h>
#include <kaon/detail/object/ListBuilding.h>
#include <kaon/detail/object/ObjectAccess.h>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <new>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kaon {

/// Identifies an object within its frame.
struct ObjectID {
  static constexpr int untracked = -1; ///< index of an object outside a collection
  static constexpr int invalid = -2;   ///< index if there is no object
  int index = untracked;
  std::uint32_t collectionID = detail::CollectionData::untracked;
  friend auto operator<=>(const ObjectID&, const ObjectID&) = default;
  /// Prints "collection|index".
  friend std::ostream& operator<<(std::ostream& out, const ObjectID& id);
};

namespace detail {
[[nodiscard]] ObjectID idOf(ObjectLocator object) noexcept;
} // namespace detail

/// The common base of an object's lists. `Derived` has operator[].
template <class Derived, class T>
class ListView {
public:
  using value_type = T;
  using iterator = detail::IndexIterator<Derived>;
  using const_iterator = iterator;

  ListView() = default;
  ListView(const detail::CollectionData* data, std::uint32_t first, detail::Slice slice)
      : m_data(data), m_first(first), m_slice(slice) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_slice.end - m_slice.begin; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  explicit operator bool() const noexcept { return !empty(); }
  /// Throws std::out_of_range.
  [[nodiscard]] T at(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return self()[i];
  }
  [[nodiscard]] T front() const { return self()[0]; }
  [[nodiscard]] T back() const { return self()[size() - 1]; }
  [[nodiscard]] iterator begin() const { return {self(), 0}; }
  [[nodiscard]] iterator end() const { return {self(), size()}; }
  [[nodiscard]] const_iterator cbegin() const { return begin(); }
  [[nodiscard]] const_iterator cend() const { return end(); }

protected:
  [[nodiscard]] const Derived& self() const { return static_cast<const Derived&>(*this); }
  const detail::CollectionData* m_data = nullptr;
  std::uint32_t m_first = 0; // column
  detail::Slice m_slice;
};

/// The values of a vector member of one object, strings as views. The view is valid as long as its
/// object, and until an element is added to a member of that name.
template <class T>
class VectorView : public ListView<VectorView<T>, T> {
public:
  using ListView<VectorView<T>, T>::ListView;
  [[nodiscard]] T operator[](std::size_t i) const {
    const std::size_t row = this->m_slice.begin + i;
    if constexpr (std::is_same_v<T, std::string_view>)
      return this->m_data->string(this->m_first, row);
    else if constexpr (detail::IsComponent<T>)
      return detail::loadComponent<T>(*this->m_data, this->m_first, row);
    else
      return this->m_data->template value<T>(this->m_first, row);
  }
};

/// The lists of a vector member of lists: each element is a view of a list.
template <class T>
class VectorView<VectorView<T>> : public ListView<VectorView<VectorView<T>>, VectorView<T>> {
  using Base = ListView<VectorView<VectorView<T>>, VectorView<T>>;

public:
  VectorView() = default;
  /// `leaf` is the leaf of the innermost elements; for components, the first of several.
  VectorView(const detail::CollectionData* data, std::uint32_t first, detail::Slice slice,
             std::uint32_t leaf = 0)
      : Base(data, first, slice), m_leaf(leaf) {}
  [[nodiscard]] VectorView<T> operator[](std::size_t i) const {
    const auto slice =
        this->m_data->template value<detail::Slice>(this->m_first, this->m_slice.begin + i);
    if constexpr (detail::isVectorView<T>)
      return {this->m_data, this->m_first + 1, slice, m_leaf};
    else
      return {this->m_data, this->m_first + 1 + m_leaf, slice};
  }

private:
  std::uint32_t m_leaf = 0;
};

/// The objects that a relation of one object points to: a view like VectorView.
template <class T>
class RelationRange : public ListView<RelationRange<T>, T> {
public:
  RelationRange() = default;
  RelationRange(const detail::CollectionData* data, std::uint32_t relation, std::uint32_t first,
                detail::Slice slice)
      : ListView<RelationRange<T>, T>(data, first, slice), m_relation(relation) {}
  [[nodiscard]] T operator[](std::size_t i) const {
    return detail::objectAt<T>(
        this->m_data->follow(m_relation, this->m_first, this->m_slice.begin + i));
  }

private:
  std::uint32_t m_relation = 0; // number of the relation in the datatype
};

/// The base of all handles: two words that locate an object, see CollectionData::rowOf(). Generated
/// classes derive from it and add named members.
///
/// A handle to an object of a collection is valid as long as the collection, or the frame that took
/// it; copying it is cheap. A loose object is made outside a collection. It lives as long as any
/// handle or relation to it. When it is pushed into a collection, it becomes an object of that
/// collection.
class Handle {
public:
  Handle(const Handle& other) noexcept
      : m_data(other.m_data), m_row(other.m_row), m_marks(other.m_marks) {
    if (isLoose()) [[unlikely]]
      m_data->retain();
  }
  Handle(Handle&& other) noexcept
      : m_data(other.m_data), m_row(other.m_row), m_marks(other.m_marks) {
    if (isLoose()) [[unlikely]] {
      other.m_data = detail::noObjects(); // the object may be destroyed before `other`
      other.m_marks = 0;
    }
  }
  Handle& operator=(Handle other) & noexcept {
    swap(*this, other);
    return *this;
  }
  ~Handle() {
    if (isLoose()) [[unlikely]]
      detail::CollectionData::release(m_data);
  }
  /// Exchanges the objects of two handles. Both must have the same class, so that no handle gets an
  /// object that its class does not support.
  template <std::derived_from<Handle> T>
  friend void swap(T& a, T& b) noexcept {
    Handle &first = a, &second = b;
    std::swap(first.m_data, second.m_data);
    std::swap(first.m_row, second.m_row);
    std::swap(first.m_marks, second.m_marks);
  }

  /// Whether there is an object: false for an empty handle, an unset relation, and a relation to a
  /// missing collection.
  [[nodiscard]] bool isAvailable() const noexcept { return static_cast<bool>(place()); }
  [[nodiscard]] ObjectID id() const noexcept { return detail::idOf(place()); }
  [[nodiscard]] ObjectID getObjectID() const noexcept { return id(); }
  /// Makes this an empty handle.
  void unlink() noexcept { *this = Handle(detail::noObjects(), 0); }

  /// Returns the place of the object, also after it was pushed into a collection.
  [[nodiscard]] detail::ObjectLocator place() const noexcept {
    if (isLoose()) [[unlikely]]
      return m_data->current(m_row);
    return {m_data, m_row};
  }
  /// Whether both denote the same object; values are not compared.
  friend bool operator==(const Handle& a, const Handle& b) noexcept {
    const detail::ObjectLocator p = a.place(), q = b.place();
    return p.data == q.data && p.row == q.row;
  }
  /// Orders objects of a collection by position; the order of collections is arbitrary.
  friend bool operator<(const Handle& a, const Handle& b) noexcept {
    const detail::ObjectLocator p = a.place(), q = b.place();
    return p.data == q.data ? p.row < q.row : std::less<>()(p.data, q.data);
  }
  /// Takes shared ownership of a loose object; for the library.
  void keepLoose() noexcept {
    if (!isLoose() && m_data->isLoose()) {
      m_marks = loose;
      m_data->retain();
    }
  }
  /// Marks the objects of its collection as structs, see CollectionData; for the library.
  void markStruct() noexcept { m_marks = inStruct; }
  /// Prints a table of the members.
  friend std::ostream& operator<<(std::ostream& out, const Handle& object);

protected:
  /// Makes a loose object.
  explicit Handle(const Datatype& type)
      : m_data(detail::CollectionData::makeLoose(type)), m_row(0), m_marks(loose) {}
  Handle(detail::CollectionData* data, std::uint32_t row) noexcept : m_data(data), m_row(row) {}
  explicit Handle(detail::ObjectLocator place) noexcept : Handle(place.data, place.row) {
    keepLoose();
  }

  // Functions for generated accessors: `leaf`, `vector`, `relation` are numbers in the datatype.

  // `offset` is the offset in the struct at the beginning of a row.

  template <class T, std::uint32_t leaf>
  [[nodiscard]] T get(std::size_t offset) const {
    if (m_marks == inStruct)
      return detail::loadAs<T>(m_data->structAt(m_row) + offset);
    return load<T>(place(), leaf);
  }
  template <class T>
  [[nodiscard]] static T load(detail::ObjectLocator object, std::uint32_t leaf) {
    if constexpr (detail::IsComponent<T>)
      return detail::loadComponent<T>(*object.data, leaf, object.row);
    else
      return object.data->value<T>(leaf, object.row);
  }
  template <class T>
  void set(std::size_t offset, const T& value) {
    const detail::ObjectLocator object = place();
    // As a value of its type, so the compiler knows that it is not one of the collection's
    // pointers.
    ::new (static_cast<void*>(object.data->writableRow(object.row) + offset)) T(value);
  }
  /// Returns a reference to a member, valid until an object is added to the collection. For an
  /// object of a file, it refers to a copy: see CollectionData::rowToChange().
  template <class T>
  [[nodiscard]] T& inPlace(std::size_t offset) {
    const detail::ObjectLocator object = place();
    return *detail::valuesAt<T>(object.data->rowToChange(object.row) + offset);
  }
  template <class T, std::uint32_t vector>
  [[nodiscard]] VectorView<T> vectorMember() const {
    const detail::ObjectLocator object = place();
    const detail::ObjectLayout::List& list = object.data->layout().vectorMember(vector);
    return {object.data, list.first, object.data->slice(list, object.row)};
  }
  template <class T, std::uint32_t vector>
  void addToVector(const T& value) {
    const detail::ObjectLocator object = place();
    const detail::ObjectLayout::List& list = object.data->layout().vectorMember(vector);
    if constexpr (std::is_same_v<T, std::string_view>)
      object.data->addString(list, object.row, value);
    else
      std::memcpy(object.data->addElement(list, object.row), &value, sizeof(T));
  }
  /// Adds a list to a member of lists. Its values may be part of this collection.
  template <class T, std::uint32_t vector, detail::ListOf<T> List>
  void addListToVector(const List& values) {
    const detail::ObjectLocator object = place();
    detail::addList<T>(*object.data, object.data->layout().vectorMember(vector), object.row,
                       values);
  }
  /// Returns a string member, which is a vector member of characters.
  template <std::uint32_t vector>
  [[nodiscard]] std::string_view stringMember() const {
    return loadString(place(), vector);
  }
  [[nodiscard]] static std::string_view loadString(detail::ObjectLocator object,
                                                   std::uint32_t vector) {
    const detail::ObjectLayout::List& list = object.data->layout().vectorMember(vector);
    return object.data->text(list.first, object.data->slice(list, object.row));
  }
  template <std::uint32_t vector>
  void setStringMember(std::string_view value) {
    const detail::ObjectLocator object = place();
    object.data->setString(object.data->layout().vectorMember(vector), object.row, value);
  }
  template <class T, std::uint32_t relation>
  [[nodiscard]] T relatedOne() const {
    const detail::ObjectLocator object = place();
    const detail::ObjectLayout::One& one = object.data->layout().ones[relation];
    return detail::objectAt<T>(object.data->follow(relation, one.first, object.row));
  }
  template <std::uint32_t relation>
  void relateOne(const Handle& target) {
    const detail::ObjectLocator object = place();
    object.data->setOne(object.data->layout().ones[relation], object.row, target.place());
  }
  template <class T, std::uint32_t relation>
  [[nodiscard]] RelationRange<T> related() const {
    const detail::ObjectLocator object = place();
    const detail::ObjectLayout::List& list = object.data->layout().manyRelation(relation);
    return {object.data, relation, list.first, object.data->slice(list, object.row)};
  }
  template <std::uint32_t relation>
  void addRelated(const Handle& target) {
    const detail::ObjectLocator object = place();
    object.data->addToMany(object.data->layout().manyRelation(relation), object.row,
                           target.place());
  }
  /// Returns a loose copy.
  [[nodiscard]] Handle cloneHandle(bool withRelations) const;

private:
  static constexpr std::uint32_t loose = 1;    ///< it shares a loose object
  static constexpr std::uint32_t inStruct = 2; ///< its object is known to be a struct
  [[nodiscard]] bool isLoose() const noexcept { return (m_marks & loose) != 0; }

  detail::CollectionData* m_data;
  std::uint32_t m_row;
  std::uint32_t m_marks = 0;
};

} // namespace kaon

template <>
struct std::hash<kaon::ObjectID> {
  std::size_t operator()(const kaon::ObjectID& id) const noexcept {
    return std::hash<std::uint64_t>()(std::uint64_t{id.collectionID} << 32 |
                                      static_cast<std::uint32_t>(id.index));
  }
};

template <class T>
  requires std::derived_from<T, kaon::Handle>
struct std::hash<T> {
  std::size_t operator()(const T& object) const noexcept {
    const kaon::detail::ObjectLocator place = object.place();
    return std::hash<const void*>()(place.data) ^ (place.row * std::size_t{0x9e3779b97f4a7c15});
  }
};

// Both are views, which standard adaptors take by value. Their iterators may outlive them.
template <class T>
inline constexpr bool std::ranges::enable_view<kaon::VectorView<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<kaon::VectorView<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_view<kaon::RelationRange<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<kaon::RelationRange<T>> = true;
