#pragma once

#include <kaon/object/Collection.h>
#include <kaon/object/Column.h>
#include <kaon/object/Handle.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ranges>
#include <string_view>
#include <type_traits>

namespace kaon {

namespace detail {
template <class T>
struct MemberValue {
  static constexpr bool isOne = std::is_arithmetic_v<T>;
  using Element = T;
  static constexpr std::uint32_t extent = 1;
};
template <class T, std::size_t size>
struct MemberValue<std::array<T, size>> {
  static constexpr bool isOne = std::is_arithmetic_v<T>;
  using Element = T;
  static constexpr std::uint32_t extent = size;
};

/// The number of a leaf of this name. Throws Error(name) with a suggestion, Error(type) if it holds
/// something else.
[[nodiscard]] std::uint32_t findLeaf(const Datatype& type, std::string_view name, Scalar scalar,
                                     std::uint32_t extent);
/// The same of a vector member, or of a member of its elements: "states.position.x". `depth` is
/// that of lists in lists.
struct ElementPlace {
  std::uint32_t vector = 0; ///< its number
  std::uint32_t leaf = 0;   ///< of an element
};
[[nodiscard]] ElementPlace findElement(const Datatype& type, std::string_view name,
                                       std::uint32_t depth, Scalar scalar, std::uint32_t extent);
/// A string member.
[[nodiscard]] std::uint32_t findString(const Datatype& type, std::string_view name);
/// A vector member of strings.
[[nodiscard]] std::uint32_t findStrings(const Datatype& type, std::string_view name,
                                        std::uint32_t depth);

/// What the elements of a vector member are in the end, if these are lists.
template <class T>
struct ListElement {
  using Innermost = T;
  static constexpr std::uint32_t depth = 0;
};
template <class T>
struct ListElement<VectorView<T>> {
  using Innermost = typename ListElement<T>::Innermost;
  static constexpr std::uint32_t depth = ListElement<T>::depth + 1;
};
/// The element of a vector member that a value, which may be a range of others, becomes.
template <class Value>
struct ElementOf {
  using Type = Value;
};
template <class Value>
  requires std::is_convertible_v<Value, std::string_view>
struct ElementOf<Value> {
  using Type = std::string_view;
};
template <class Value>
  requires(std::ranges::range<Value> && !std::is_convertible_v<Value, std::string_view>)
struct ElementOf<Value> {
  using Type = VectorView<typename ElementOf<std::ranges::range_value_t<Value>>::Type>;
};

[[nodiscard]] std::uint32_t findVector(const Datatype& type, std::string_view name);
[[nodiscard]] std::uint32_t findRelation(const Datatype& type, std::string_view name, bool many);
} // namespace detail

/// What a member by name can be read as: a number, or an array of numbers. The type is that of the
/// model: numbers are not converted.
template <class T>
concept IsMemberValue = detail::MemberValue<T>::isOne;

/// What vector members can hold: such values, strings, and lists of these as VectorViews.
template <class T>
concept IsListElement =
    IsMemberValue<typename detail::ListElement<T>::Innermost> ||
    std::is_same_v<typename detail::ListElement<T>::Innermost, std::string_view>;

/// A handle to an object of any datatype, generated or not, whose members and relations are called
/// by their names in files: "energy", "momentum.x", "hits". As long valid as any handle. All
/// functions throw Error(usage) if there is no object, Error(name), with a suggestion, if it has
/// nothing of a name, and Error(type) if that is something else than is asked for. A name is looked
/// for at each call: loops over many objects go by GenericCollection::column().
class GenericObject : public Handle {
public:
  GenericObject(CollectionData* data, std::uint32_t row) noexcept : Handle(data, row) {}
  GenericObject(const GenericObject&) = default;
  GenericObject(GenericObject&&) = default;
  // Not to what a function returned: `hits[0] = hit` would change nothing.
  GenericObject& operator=(const GenericObject&) & = default;
  GenericObject& operator=(GenericObject&&) & = default;
  static GenericObject makeEmpty() noexcept { return {noObjects(), 0}; }

  [[nodiscard]] const Datatype& datatype() const;

  template <IsMemberValue T>
  [[nodiscard]] T get(std::string_view member) const {
    const std::uint32_t leaf = detail::findLeaf(datatype(), member, scalar<T>(), extent<T>());
    return load<T>(place(), leaf);
  }
  /// A string member.
  [[nodiscard]] std::string_view getString(std::string_view member) const;
  /// The elements of a vector member, `getVector<std::string_view>("names")` of strings; or of each
  /// element a member: `getVector<float>("states.position.x")`. Lists in lists are views too:
  /// `getVector<kaon::VectorView<float>>("pulses")`.
  template <IsListElement T>
  [[nodiscard]] VectorView<T> getVector(std::string_view member) const {
    const detail::ElementPlace element = findElement<T>(member);
    const ObjectPlace object = place();
    const ObjectLayout::List& list = object.data->layout().vectorMember(element.vector);
    const Slice slice = object.data->slice(list, object.row);
    if constexpr (isVectorView<T>)
      return {object.data, list.first, slice, element.leaf};
    else
      return {object.data, list.first + element.leaf, slice};
  }
  /// How many elements a vector member has.
  [[nodiscard]] std::size_t countOf(std::string_view vectorMember) const;
  /// The object that a relation to one leads to; it may be none.
  [[nodiscard]] GenericObject relatedOne(std::string_view relation) const;
  /// Those that a relation to many leads to.
  [[nodiscard]] RelationRange<GenericObject> related(std::string_view relation) const;

protected:
  template <IsListElement T>
  [[nodiscard]] detail::ElementPlace findElement(std::string_view member) const {
    using Value = typename detail::ListElement<T>::Innermost;
    constexpr std::uint32_t depth = detail::ListElement<T>::depth;
    if constexpr (IsMemberValue<Value>)
      return detail::findElement(datatype(), member, depth, scalar<Value>(), extent<Value>());
    else
      return {detail::findStrings(datatype(), member, depth), 0};
  }
  template <class T>
  static constexpr Scalar scalar() {
    return scalarOf<typename detail::MemberValue<T>::Element>();
  }
  template <class T>
  static constexpr std::uint32_t extent() {
    return detail::MemberValue<T>::extent;
  }
};

/// A GenericObject that is open to change. One of a file is not: Error(usage).
class MutableGenericObject : public GenericObject {
public:
  using GenericObject::GenericObject;
  MutableGenericObject(const MutableGenericObject&) = default;
  MutableGenericObject(MutableGenericObject&&) = default;
  MutableGenericObject& operator=(const MutableGenericObject&) & = default;
  MutableGenericObject& operator=(MutableGenericObject&&) & = default;

  template <IsMemberValue T>
  void set(std::string_view member, const T& value) {
    const std::uint32_t leaf = detail::findLeaf(datatype(), member, scalar<T>(), extent<T>());
    std::memcpy(writableRow() + datatype().leaves[leaf].offset, &value, sizeof value);
  }
  /// Sets a string member.
  void set(std::string_view member, std::string_view text);

  /// Adds an element to a vector member of numbers.
  template <class T>
    requires std::is_arithmetic_v<T>
  void add(std::string_view vectorMember, T value) {
    std::memcpy(addElement(findElement<T>(vectorMember).vector), &value, sizeof value);
  }
  /// Adds an element to a vector member of strings.
  void add(std::string_view vectorMember, std::string_view text);
  /// The same of lists of numbers or strings, and lists of such: any range of values.
  template <std::ranges::forward_range List>
    requires(isVectorView<typename detail::ElementOf<List>::Type> &&
             IsListElement<typename detail::ElementOf<List>::Type>) // a text is no list
  void add(std::string_view vectorMember, const List& values) {
    using View = typename detail::ElementOf<List>::Type;
    const std::uint32_t vector = findElement<View>(vectorMember).vector;
    const ObjectPlace object = place();
    addList<typename View::value_type>(*object.data, object.data->layout().vectorMember(vector),
                                       object.row, values);
  }

  /// An element of a vector member of components, as long as none is added.
  class Element {
  public:
    Element(const VectorMember& type, std::byte* bytes) : m_type(&type), m_bytes(bytes) {}
    template <IsMemberValue T>
    void set(std::string_view member, const T& value) const {
      const std::uint32_t leaf = findLeaf(member, scalar<T>(), detail::MemberValue<T>::extent);
      std::memcpy(m_bytes + m_type->leaves[leaf].offset, &value, sizeof value);
    }

  private:
    [[nodiscard]] std::uint32_t findLeaf(std::string_view member, Scalar type,
                                         std::uint32_t extent) const;
    const VectorMember* m_type;
    std::byte* m_bytes;
  };
  /// Adds one whose members are zero.
  Element addElement(std::string_view vectorMember);

  /// Lets a relation to one lead to an object, or one to many to one more. Throws Error(type) for
  /// an object of another datatype.
  void relate(std::string_view relation, const Handle& object);

private:
  [[nodiscard]] std::byte* writableRow() const;
  [[nodiscard]] std::byte* addElement(std::uint32_t vector);
};

/// Objects of any datatype in one event, by the names of their members: for programs without the
/// generated class. One thread builds it; once in a frame, any number may read it.
///
///     const kaon::GenericCollection hits(*frame.get("Hits"));
///     for (const kaon::GenericObject hit : hits)
///       sum += hit.get<float>("energy") * hit.relatedOne("particle").get<double>("energy");
class GenericCollection : public CollectionBase {
  template <class Object>
  struct Elements {
    CollectionData* objects = nullptr; // null: references
    CollectionData* references = nullptr;
    [[nodiscard]] Object operator[](std::size_t i) const {
      if (objects)
        return {objects, objects->rowOf(i)};
      const std::uint32_t first = references->layout().ones[0].first;
      const ObjectPlace place = references->follow(0, first, references->rowOf(i));
      return {place.data, place.row};
    }
  };

public:
  using value_type = GenericObject;
  using iterator = IndexIterator<Elements<GenericObject>>;
  using const_iterator = iterator;

  /// One to build, of objects of a datatype that lives as long as the program: Reader::datatypes()
  /// and modelDatatypes() have some.
  explicit GenericCollection(const Datatype& type) : CollectionBase(type), m_isView(false) {}
  /// A view of a collection of any class, for as long as that is there; it cannot be changed by it.
  explicit GenericCollection(const CollectionBase& collection)
      : GenericCollection(collection.data()) {}
  /// A view, too; for the library.
  explicit GenericCollection(CollectionData& data) : CollectionBase(data), m_isView(true) {}

  /// The datatype of its objects, also of a subset's.
  [[nodiscard]] const Datatype& datatype() const;
  /// For the library.
  [[nodiscard]] CollectionType collectionType() const override;

  /// Adds an object with default values. Throws Error(usage) in a view, and in a subset.
  MutableGenericObject create();
  void reserve(std::size_t objects) { data().reserve(objects); }
  /// In a subset: refers to an object of another collection. Throws Error(usage) in others,
  /// Error(type) for an object of another datatype.
  void push_back(const Handle& object);

  [[nodiscard]] GenericObject operator[](std::size_t i) const { return elements()[i]; }
  /// Throws std::out_of_range.
  [[nodiscard]] GenericObject at(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return (*this)[i];
  }
  [[nodiscard]] iterator begin() const { return {elements(), 0}; }
  [[nodiscard]] iterator end() const { return {elements(), size()}; }

  /// A member of all objects; see MemberColumn. Throws as GenericObject, and Error(usage) in a
  /// subset.
  template <IsMemberValue V>
  [[nodiscard]] MemberColumn<V> column(std::string_view member) const {
    using Value = detail::MemberValue<V>;
    return {
        ownObjects("a column"),
        detail::findLeaf(datatype(), member, scalarOf<typename Value::Element>(), Value::extent)};
  }

  using CollectionBase::decorate;
  using CollectionBase::decoration;

private:
  [[nodiscard]] Elements<GenericObject> elements() const {
    if (CollectionData* const objects = ownObjects())
      return {objects, nullptr};
    return {nullptr, &data()};
  }
  bool m_isView;
};

/// What there is to know of a GenericCollection of such objects; for the library.
[[nodiscard]] CollectionType genericCollectionType(const Datatype& objects);

} // namespace kaon
