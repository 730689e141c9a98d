#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/object/CollectionType.h>
#include <kaon/detail/object/Column.h>
#include <kaon/detail/object/EqualContent.h>
#include <kaon/detail/object/ObjectCopier.h>
#include <kaon/detail/object/ObjectMover.h>
#include <kaon/detail/object/PodioCollectionBase.h>
#include <kaon/detail/object/Subset.h>
#include <kaon/object/Handle.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kaon {

/// The base of all collections: owns a CollectionData, or is a view of one.
class CollectionBase : public podio::CollectionBase {
public:
  CollectionBase(CollectionBase&& other) noexcept
      : m_owned(std::move(other.m_owned)), m_data(std::exchange(other.m_data, nullptr)),
        m_objects(std::exchange(other.m_objects, nullptr)) {}
  CollectionBase& operator=(CollectionBase&& other) noexcept {
    m_owned = std::move(other.m_owned);
    m_data = std::exchange(other.m_data, nullptr);
    m_objects = std::exchange(other.m_objects, nullptr);
    return *this;
  }

  [[nodiscard]] std::size_t size() const { return data().size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] static std::size_t max_size() noexcept { return detail::ObjectRows::mostObjects; }
  /// Returns false after the collection was moved from.
  [[nodiscard]] bool isValid() const noexcept { return m_data != nullptr; }
  /// Return the types of the collection, of its elements and of the struct of their members:
  /// "tracker::HitCollection", "tracker::Hit", "tracker::HitData". A subset returns the same as a
  /// collection of its objects.
  [[nodiscard]] std::string_view getTypeName() const { return collectionType().name(); }
  [[nodiscard]] std::string_view getValueTypeName() const { return collectionType().objects->name; }
  [[nodiscard]] std::string_view getDataTypeName() const { return collectionType().dataName(); }
  /// Returns the version of the model in this program; 0 for types of no model.
  [[nodiscard]] std::uint32_t getSchemaVersion() const {
    const detail::ModelInfo* const model = collectionType().objects->model;
    return model ? model->schemaVersion : 0;
  }
  /// Whether its objects belong to other collections.
  [[nodiscard]] bool isSubsetCollection() const { return detail::isSubset(data().type()); }
  /// Makes it a subset, or a collection with objects of its own. Throws Error(usage) unless it is
  /// empty, and for bare values, which have no subsets.
  void setSubsetCollection(bool isSubset = true);
  /// Checks that all objects to which this collection refers are in collections; only for code
  /// written for podio, because Writer::write() checks more. Throws Error(usage).
  void prepareForWrite() const;
  /// Sets the number of the collection, which a frame sets again when it takes the collection.
  void setID(std::uint32_t id) { data().setId(id); }
  /// Returns the number of the collection in its frame.
  [[nodiscard]] std::uint32_t getID() const { return data().id(); }
  [[nodiscard]] bool hasID() const { return getID() != detail::CollectionData::untracked; }
  /// Removes all objects. Handles to them must not be used afterwards.
  void clear();
  /// Print the collection to std::cout or another stream, as printCollection() does.
  void print() const;
  void print(std::ostream& out, bool flush = true) const;

  /// For the library.
  [[nodiscard]] virtual detail::CollectionType collectionType() const = 0;
  /// Returns an empty collection of the same class; a subset if this is one. For the library.
  [[nodiscard]] std::unique_ptr<CollectionBase> makeEmptyLike() const;
  /// For the library. Throws Error(usage) after the collection was moved from.
  [[nodiscard]] detail::CollectionData& data() const {
    if (!m_data) [[unlikely]]
      fail(ErrorKind::usage, "this collection was moved, into a frame or elsewhere");
    return *m_data;
  }

  /// Prints a table with a line per object.
  friend std::ostream& operator<<(std::ostream& out, const CollectionBase& collection);

protected:
  explicit CollectionBase(const Datatype& type)
      : m_owned(detail::CollectionData::make(type)), m_data(m_owned.get()), m_objects(m_data) {}
  explicit CollectionBase(detail::CollectionData& data)
      : m_data(&data), m_objects(detail::isSubset(data.type()) ? nullptr : &data) {}

  /// Adds a member to the objects of this collection, under a name that their datatype does not
  /// have. It is written and read with them. Objects without a value have `missing`. Collections of
  /// a file can also be decorated: `hits.decorate<float>("isolation")[hit] = 0.1F`. Throws
  /// Error(usage) for the name of a member, Error(type) if the decoration exists with another type.
  template <class V>
    requires std::is_arithmetic_v<V>
  [[nodiscard]] Decoration<V, detail::CollectionData> decorate(std::string_view name,
                                                               V missing = {}) const {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, &missing, sizeof missing);
    detail::CollectionData& objects = ownObjects("a decoration");
    return {objects.decorate(name, scalarOf<V>(), bytes), objects};
  }
  /// Returns a decoration that this program added or the file has. Throws Error(name), with a
  /// suggestion, if it is missing, and Error(type) if its values are not of type V.
  template <class V>
    requires std::is_arithmetic_v<V>
  [[nodiscard]] DecorationView<V> decoration(std::string_view name) const {
    return {data().decoration(name, scalarOf<V>()), size()};
  }

  /// Returns the data of its own objects; null for a subset, and after the collection was moved
  /// from.
  [[nodiscard]] detail::CollectionData* ownObjects() const noexcept { return m_objects; }
  /// As ownObjects(), but throws Error(usage) for a subset. The message says that `what` needs own
  /// objects.
  [[nodiscard]] detail::CollectionData& ownObjects(std::string_view what) const {
    if (!m_objects) [[unlikely]]
      failWithoutObjects(what);
    return *m_objects;
  }
  void swapBase(CollectionBase& other) noexcept {
    std::swap(m_owned, other.m_owned);
    std::swap(m_data, other.m_data);
    std::swap(m_objects, other.m_objects);
  }

private:
  [[noreturn]] void failWithoutObjects(std::string_view what) const;

  std::unique_ptr<detail::CollectionData> m_owned;
  detail::CollectionData* m_data;
  detail::CollectionData* m_objects;
};

namespace detail {

[[nodiscard]] inline bool equalContent(const CollectionBase& a, const CollectionBase& b) {
  return equalContent(a.data(), b.data());
}

} // namespace detail

/// The objects of one datatype in one event: like a standard container of handles, move-only. T is
/// the generated handle class. One thread builds it; once it is in a frame, any number may read it.
///
/// A *subset* has no own objects: it has references to objects of other collections, and iterates
/// over these. Through a subset, do not change objects that belong to a frame or file.
///
/// Sorting and erasing move objects. Relations of moved objects, and relations to them, stay
/// correct; relations to an erased object become unset. Handles and iterators denote a position,
/// like those of a std::vector.
template <class T>
class Collection : public CollectionBase {
  /// The kind of elements. It is set once per loop, so the compiler generates a loop for each kind.
  enum class Kind : std::uint8_t { objects, structs, references };
  /// Objects by their rows.
  template <class Object>
  struct Elements {
    using value_type = T;
    using ElementsNeedNoDestructor = void; // they are in a collection, so handles share nothing
    detail::CollectionData* data = nullptr;
    Kind kind = Kind::objects;
    [[nodiscard, gnu::always_inline]] Object operator[](std::size_t i) const {
      const auto row = static_cast<std::uint32_t>(i);
      if (kind == Kind::objects) [[likely]]
        return {data, row};
      if (kind == Kind::structs) {
        Object object(data, row);
        object.markStruct();
        return object;
      }
      // The target of a subset is in a collection, so no handle needs to share it.
      const detail::ObjectLocator place = data->follow(0, data->layout().ones[0].first, i);
      return {place.data, place.row};
    }
  };

public:
  using value_type = T;
  using mutable_type = typename T::MutableType;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using const_iterator = detail::IndexIterator<Elements<T>>;
  using iterator = detail::IndexIterator<Elements<mutable_type>>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using reverse_iterator = std::reverse_iterator<iterator>;

  /// Return the datatypes of its objects, and of a subset of them.
  [[nodiscard]] static const Datatype& datatype() { return T::datatype(); }
  [[nodiscard]] static const Datatype& subsetDatatype() {
    return kaon::detail::subsetDatatype<T>();
  }
  /// For the library.
  [[nodiscard]] detail::CollectionType collectionType() const override {
    return kaon::detail::collectionType<typename T::CollectionType>();
  }
  [[nodiscard]] static std::string_view className() {
    static const std::string name = std::string(datatype().name) + "Collection";
    return name;
  }
  [[nodiscard]] static std::string_view dataClassName() {
    static const std::string name = std::string(datatype().name) + "Data";
    return name;
  }

  Collection() : CollectionBase(datatype()) {}
  /// A view; for the library.
  explicit Collection(detail::CollectionData& data) : CollectionBase(data) {}
  /// Makes a collection of these loose mutable objects, or a subset of these immutable ones, with
  /// push_back.
  template <std::ranges::input_range Objects>
    requires std::convertible_to<std::ranges::range_reference_t<Objects>, const T&>
  [[nodiscard]] static auto from(Objects&& objects) {
    using Object = std::remove_cvref_t<std::ranges::range_reference_t<Objects>>;
    typename T::CollectionType collection;
    collection.setSubsetCollection(!std::derived_from<Object, mutable_type>);
    for (const Object& object : objects)
      collection.push_back(object);
    return collection;
  }

  /// Adds an object with default values. Throws Error(usage) for a subset, as do all functions that
  /// make objects.
  mutable_type create() {
    detail::CollectionData& objects = ownObjects("create");
    if constexpr (std::is_empty_v<typename T::DataType>)
      return {&objects, objects.create()};
    else
      return {&objects, objects.template emplace<typename T::DataType>()};
  }
  /// Adds an object with all its members, in the order of the model.
  template <class... Members>
    requires(sizeof...(Members) > 0)
  mutable_type create(Members&&... members) {
    if constexpr (requires { &mutable_type::assign; }) { // strings are not in the struct
      mutable_type object = create();
      object.assign(std::forward<Members>(members)...);
      return object;
    } else {
      detail::CollectionData& objects = ownObjects("create");
      return {&objects,
              objects.template emplace<typename T::DataType>(std::forward<Members>(members)...)};
    }
  }
  /// Moves a loose object into the collection: every handle to it then denotes the object in the
  /// collection. Throws Error(usage) if it already is in a collection. A subset stores a reference
  /// to the object, which must be in a collection.
  void push_back(const mutable_type& object) {
    if (ownObjects())
      moveIn(object.place());
    else
      refer(object.place());
  }
  /// As above, but only for subsets: an immutable handle cannot give its object away.
  void push_back(const T& object) {
    if (ownObjects())
      fail(ErrorKind::usage, "cannot push_back an immutable ", T::datatype().name,
           " into a collection that is not a subset: clone() it");
    refer(object.place());
  }
  /// As push_back(), but before the object at `position`.
  template <std::derived_from<T> Object>
  void insert(std::size_t position, const Object& object) {
    if (position > size())
      detail::failIndex(position, size());
    push_back(object);
    std::vector<std::uint32_t> order = positions();
    std::rotate(order.begin() + static_cast<difference_type>(position), order.end() - 1,
                order.end());
    detail::ObjectMover(data()).reorder(order);
  }
  void reserve(std::size_t objects) { data().reserve(objects); }
  /// Removes the last objects, or adds objects with default values.
  void resize(std::size_t objects) {
    if (objects < size())
      detail::ObjectMover(data()).truncate(objects);
    else
      ownObjects("resize").resize(objects);
  }
  void pop_back() { detail::ObjectMover(data()).truncate(size() - 1); }
  void swap(Collection& other) noexcept { swapBase(other); }
  friend void swap(Collection& a, Collection& b) noexcept { a.swap(b); }

  // Order and selection of objects. Functions that compare or select get handles (T).

  /// Sorts objects by `key(object)`, and keeps the order of equal ones:
  /// `hits.sort(std::ranges::greater{}, &Hit::getEnergy)`.
  template <class Compare, class Key = std::identity>
  void sort(Compare compare, Key key = {}) {
    std::vector<std::uint32_t> order = positions();
    const Collection& objects = *this;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) {
      return std::invoke(compare, std::invoke(key, objects[i]), std::invoke(key, objects[k]));
    });
    detail::ObjectMover(data()).reorder(order);
  }
  /// Sorts in ascending order: `hits.sortBy(&Hit::getCell)`.
  template <class Key>
  void sortBy(Key key) {
    sort(std::ranges::less{}, std::move(key));
  }
  /// Removes the objects [first, last). Throws std::out_of_range.
  void erase(std::size_t first, std::size_t last) {
    if (first > last || last > size())
      detail::failIndex(last, size());
    std::vector<std::uint32_t> order = positions();
    order.erase(order.begin() + static_cast<difference_type>(first),
                order.begin() + static_cast<difference_type>(last));
    detail::ObjectMover(data()).reorder(order);
  }
  void erase(std::size_t object) { erase(object, object + 1); }
  /// Return the position of the next object.
  iterator erase(iterator first, iterator last) {
    const difference_type position = first - begin();
    erase(static_cast<std::size_t>(position), static_cast<std::size_t>(last - begin()));
    return begin() + position;
  }
  iterator erase(iterator object) { return erase(object, object + 1); }
  /// Removes the objects for which `predicate(object)` is true; returns their number.
  template <class Predicate>
  std::size_t eraseIf(Predicate predicate) {
    std::vector<std::uint32_t> order = positions();
    const Collection& objects = *this;
    const std::size_t erased =
        std::erase_if(order, [&](std::uint32_t i) { return std::invoke(predicate, objects[i]); });
    if (erased > 0)
      detail::ObjectMover(data()).reorder(order);
    return erased;
  }

  // Collections made of others.

  /// Returns a subset of the objects for which `predicate(object)` is true.
  template <class Predicate>
  [[nodiscard]] auto filter(Predicate predicate) const {
    typename T::CollectionType chosen;
    chosen.setSubsetCollection();
    for (const T object : *this)
      if (std::invoke(predicate, object))
        chosen.push_back(object);
    return chosen;
  }
  /// Returns a subset of the objects [first, last). Throws std::out_of_range.
  [[nodiscard]] auto slice(std::size_t first, std::size_t last) const {
    if (first > last || last > size())
      detail::failIndex(last, size());
    typename T::CollectionType chosen;
    chosen.setSubsetCollection();
    for (; first < last; ++first)
      chosen.push_back((*this)[first]);
    return chosen;
  }
  /// Returns copies of the objects with their decorations. Relations among them point to the
  /// copies; other relations are unchanged. The objects of a subset become objects of the new
  /// collection.
  [[nodiscard]] auto toCollection() const {
    typename T::CollectionType copies;
    copyInto(copies);
    return copies;
  }
  /// As toCollection(), but returns a subset of the same objects if this is a subset.
  [[nodiscard]] auto clone() const {
    typename T::CollectionType copies;
    copies.setSubsetCollection(isSubsetCollection());
    copyInto(copies);
    return copies;
  }
  /// Turns a subset into a collection of copies of its objects.
  void promote() {
    if (!isSubsetCollection())
      return;
    Collection copies;
    copyInto(copies);
    swap(copies);
  }
  /// Appends copies of the other's objects, as toCollection() makes them; a subset gets references.
  void append(const Collection& other) { other.copyInto(*this); }
  /// Moves the other's objects here and leaves it empty. Relations to these objects stay correct.
  /// If one of the collections is a subset, or the other is in a file, appends copies instead.
  void append(Collection&& other) {
    if (&other == this)
      fail(ErrorKind::usage, "a collection cannot be moved to its own end");
    if (isSubsetCollection() || other.isSubsetCollection() || !other.data().isBuilt())
      append(std::as_const(other));
    else
      detail::ObjectMover(data()).absorb(other.data());
  }

  // A member of all objects as a column, for loops over one member. See MemberColumn. Throw
  // Error(usage) for a subset.

  /// Returns a member of the struct, `particles.column(&ParticleData::PDG)`, or a part of it:
  /// `particles.column(&ParticleData::vertex, &Vector3f::x)`.
  template <class V, class... Parts>
  [[nodiscard]] auto column(V T::DataType::*member, Parts... parts) const {
    return columnAt<V>(detail::offsetOf(member), parts...);
  }
  /// Returns a member by its accessor: `particles.column(&Particle::getPDG)`. Throws Error(usage)
  /// for a function that does not return a member of the struct.
  template <class V, class... Parts>
  [[nodiscard]] auto column(V (T::*accessor)() const, Parts... parts) const {
    const std::uint32_t leaf = T::leafOf(accessor);
    return columnAt<std::remove_const_t<V>>(T::datatype().leaves[leaf].offset, parts...);
  }
  /// For the library: returns the objects. Throws Error(usage) for a subset.
  [[nodiscard]] detail::CollectionData& objects() const { return ownObjects("this"); }

  /// Whether two collections have the same content: values bit for bit, and relations to the same
  /// objects. Relations may also lead to different collections if these correspond one to one, as
  /// the two themselves do; positions are then compared. Decorations are ignored.
  friend bool operator==(const Collection& a, const Collection& b) {
    return detail::equalContent(a, b);
  }

  using CollectionBase::decorate;
  using CollectionBase::decoration;

  [[nodiscard]] T operator[](std::size_t i) const { return elements<T>()[data().rowOf(i)]; }
  [[nodiscard]] mutable_type operator[](std::size_t i) {
    return elements<mutable_type>()[data().rowOf(i)];
  }
  /// Throw std::out_of_range.
  [[nodiscard]] T at(std::size_t i) const { return (*this)[checked(i)]; }
  [[nodiscard]] mutable_type at(std::size_t i) { return (*this)[checked(i)]; }
  [[nodiscard]] T front() const { return (*this)[0]; }
  [[nodiscard]] mutable_type front() { return (*this)[0]; }
  [[nodiscard]] T back() const { return (*this)[size() - 1]; }
  [[nodiscard]] mutable_type back() { return (*this)[size() - 1]; }

  [[nodiscard]] const_iterator begin() const { return {loopElements<T>(), data().rowOf(0)}; }
  [[nodiscard]] const_iterator end() const { return {elements<T>(), data().rowOf(size())}; }
  [[nodiscard]] const_iterator cbegin() const { return begin(); }
  [[nodiscard]] const_iterator cend() const { return end(); }
  [[nodiscard]] iterator begin() { return {loopElements<mutable_type>(), data().rowOf(0)}; }
  [[nodiscard]] iterator end() { return {elements<mutable_type>(), data().rowOf(size())}; }
  [[nodiscard]] const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  [[nodiscard]] const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  [[nodiscard]] reverse_iterator rbegin() { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() { return reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator crbegin() const { return rbegin(); }
  [[nodiscard]] const_reverse_iterator crend() const { return rend(); }

protected:
  /// Returns copies of a member of the first objects, or of all if `count` is 0.
  template <class V>
  [[nodiscard]] std::vector<std::remove_const_t<V>> copiesOf(V (T::*get)() const,
                                                             std::size_t count) const {
    std::vector<std::remove_const_t<V>> values;
    values.reserve(size());
    for (const T object : *this) {
      if (count > 0 && values.size() == count)
        break;
      values.push_back((object.*get)());
    }
    return values;
  }

private:
  /// Moves a loose object into this collection.
  void moveIn(detail::ObjectLocator from) {
    if (!from || !from.data->isLoose())
      fail(ErrorKind::usage, "cannot push_back ", from ? "an object" : "a handle to no object",
           " of ", T::datatype().name, from ? " that is in a collection already: clone() it" : "");
    const std::uint32_t row = detail::copyObject(from, data(), true);
    from.data->forwardTo({&data(), row});
  }
  /// Adds a reference to this subset.
  void refer(detail::ObjectLocator to) {
    detail::CollectionData& references = data();
    if (!to || to.data->isLoose())
      fail(ErrorKind::usage, "cannot push_back ", to ? "an object" : "a handle to no object",
           " of ", T::datatype().name,
           to ? " that is in no collection into a subset: push it into a collection first" : "");
    references.setOne(references.layout().ones[0], references.create(), to);
  }
  template <class Object>
  [[nodiscard]] Elements<Object> elements() const {
    if (detail::CollectionData* const objects = ownObjects()) [[likely]]
      return {objects, Kind::objects};
    return {&data(), Kind::references};
  }
  template <class Object>
  [[nodiscard]] Elements<Object> loopElements() const {
    Elements<Object> all = elements<Object>();
    if (all.kind == Kind::objects && all.data->areStructs())
      all.kind = Kind::structs;
    return all;
  }
  template <class V>
  [[nodiscard]] detail::MemberColumn<V> columnAt(std::size_t offset) const {
    return {ownObjects("a column"), detail::leafAt(T::datatype(), offset)};
  }
  template <class V, class Part, class... Parts>
  [[nodiscard]] auto columnAt(std::size_t offset, Part V::*part, Parts... parts) const {
    return columnAt<Part>(offset + detail::offsetOf(part), parts...);
  }
  [[nodiscard]] std::size_t checked(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return i;
  }
  [[nodiscard]] std::vector<std::uint32_t> positions() const {
    std::vector<std::uint32_t> all(size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }
  /// Appends copies of the objects, or references to them.
  void copyInto(Collection& to) const {
    if (to.isSubsetCollection() && !isSubsetCollection()) {
      for (const T object : *this)
        to.push_back(object);
      return;
    }
    detail::ObjectCopier copier;
    if (to.isSubsetCollection() || !isSubsetCollection())
      copier.copyAll(data(), to.data());
    else
      for (const T object : *this)
        if (object.isAvailable())
          copier.copy(object.place(), to.data());
    copier.relate();
  }
};

/// Registers these classes for Frame::get(name). Classes of models register themselves, also those
/// of libraries loaded later. So do bare values, and links that the program makes or gets. If
/// several classes have the same datatype, the first one stays. Any thread. Returns true, so you
/// can call it in an initialiser.
template <class... Collections>
bool registerCollections() {
  (detail::registerCollection(detail::collectionType<Collections>()), ...);
  return true;
}

} // namespace kaon
