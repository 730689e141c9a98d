#pragma once

#include <kaon/detail/object/Column.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/object/Collection.h>
#include <kaon/object/Handle.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <vector>

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

/// Returns the number of the leaf with this name. Throws Error(name) with a suggestion, and
/// Error(type) if it has another type.
[[nodiscard]] std::uint32_t findLeaf(const Datatype& type, std::string_view name, Scalar scalar,
                                     std::uint32_t extent);
/// The place of a vector member, or of a member of its elements: "states.position.x". `depth` is
/// the depth of nested lists.
struct ElementLocator {
  std::uint32_t vector = 0; ///< number of the vector member
  std::uint32_t leaf = 0;   ///< of an element
};
[[nodiscard]] ElementLocator findElement(const Datatype& type, std::string_view name,
                                         std::uint32_t depth, Scalar scalar, std::uint32_t extent);
/// Returns the number of a string member.
[[nodiscard]] std::uint32_t findString(const Datatype& type, std::string_view name);
/// Returns the number of a vector member of strings.
[[nodiscard]] std::uint32_t findStrings(const Datatype& type, std::string_view name,
                                        std::uint32_t depth);

/// The innermost element type of a vector member, and the depth of its lists.
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
/// The element type of a vector member for a value, which may be a range of other values.
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

namespace detail {

/// Types that a member can be read as by name: a number, or an array of numbers. The type must be
/// that of the model: numbers are not converted.
template <class T>
concept IsMemberValue = detail::MemberValue<T>::isOne;

/// Element types of vector members: these types, strings, and lists of them as VectorViews.
template <class T>
concept IsListElement =
    IsMemberValue<typename detail::ListElement<T>::Innermost> ||
    std::is_same_v<typename detail::ListElement<T>::Innermost, std::string_view>;

} // namespace detail

/// A handle to an object of any datatype, generated or not. Its members and relations have their
/// names in files: "energy", "momentum.x", "hits". Valid as long as any handle. All functions throw
/// Error(usage) if there is no object, Error(name), with a suggestion, for unknown names, and
/// Error(type) for another type. Each call looks the name up: use GenericCollection::column() in
/// loops over many objects.
class GenericObject : public Handle {
public:
  GenericObject(detail::CollectionData* data, std::uint32_t row) noexcept : Handle(data, row) {}
  GenericObject(const GenericObject&) = default;
  GenericObject(GenericObject&&) = default;
  // Not assignable as a temporary: `hits[0] = hit` would have no effect.
  GenericObject& operator=(const GenericObject&) & = default;
  GenericObject& operator=(GenericObject&&) & = default;
  static GenericObject makeEmpty() noexcept { return {detail::noObjects(), 0}; }

  [[nodiscard]] const Datatype& datatype() const;

  template <detail::IsMemberValue T>
  [[nodiscard]] T get(std::string_view member) const {
    const std::uint32_t leaf = detail::findLeaf(datatype(), member, scalar<T>(), extent<T>());
    return load<T>(place(), leaf);
  }
  /// Returns a string member.
  [[nodiscard]] std::string_view getString(std::string_view member) const;
  /// Returns the elements of a vector member; of strings with
  /// `getVector<std::string_view>("names")`. Also returns a member of each element:
  /// `getVector<float>("states.position.x")`. Nested lists are views, too:
  /// `getVector<kaon::VectorView<float>>("pulses")`.
  template <detail::IsListElement T>
  [[nodiscard]] VectorView<T> getVector(std::string_view member) const {
    const detail::ElementLocator element = findElement<T>(member);
    const detail::ObjectLocator object = place();
    const detail::ObjectLayout::List& list = object.data->layout().vectorMember(element.vector);
    const detail::Slice slice = object.data->slice(list, object.row);
    if constexpr (detail::isVectorView<T>)
      return {object.data, list.first, slice, element.leaf};
    else
      return {object.data, list.first + element.leaf, slice};
  }
  /// Returns the number of elements of a vector member.
  [[nodiscard]] std::size_t countOf(std::string_view vectorMember) const;
  /// Returns the object that a relation to one points to; an empty handle if it is unset.
  [[nodiscard]] GenericObject relatedOne(std::string_view relation) const;
  /// Returns the objects that a relation to many points to.
  [[nodiscard]] RelationRange<GenericObject> related(std::string_view relation) const;

protected:
  template <detail::IsListElement T>
  [[nodiscard]] detail::ElementLocator findElement(std::string_view member) const {
    using Value = typename detail::ListElement<T>::Innermost;
    constexpr std::uint32_t depth = detail::ListElement<T>::depth;
    if constexpr (detail::IsMemberValue<Value>)
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

/// A GenericObject whose object can be changed. Throws Error(usage) for an object in a file.
class MutableGenericObject : public GenericObject {
public:
  using GenericObject::GenericObject;
  MutableGenericObject(const MutableGenericObject&) = default;
  MutableGenericObject(MutableGenericObject&&) = default;
  MutableGenericObject& operator=(const MutableGenericObject&) & = default;
  MutableGenericObject& operator=(MutableGenericObject&&) & = default;

  template <detail::IsMemberValue T>
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
  /// Adds an element to a vector member of lists, to any depth: any range of values.
  template <std::ranges::forward_range List>
    requires(detail::isVectorView<typename detail::ElementOf<List>::Type> &&
             detail::IsListElement<typename detail::ElementOf<List>::Type>) // a text is not a list
  void add(std::string_view vectorMember, const List& values) {
    using View = typename detail::ElementOf<List>::Type;
    const std::uint32_t vector = findElement<View>(vectorMember).vector;
    const detail::ObjectLocator object = place();
    detail::addList<typename View::value_type>(
        *object.data, object.data->layout().vectorMember(vector), object.row, values);
  }

  /// An element of a vector member of components; valid until another one is added.
  class Element {
  public:
    Element(const VectorMember& type, std::byte* bytes) : m_type(&type), m_bytes(bytes) {}
    template <detail::IsMemberValue T>
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
  /// Adds an element whose members are zero.
  Element addElement(std::string_view vectorMember);

  /// Sets a relation to one, or adds an object to a relation to many. Throws Error(type) for an
  /// object of another datatype.
  void relate(std::string_view relation, const Handle& object);

private:
  [[nodiscard]] std::byte* writableRow() const;
  [[nodiscard]] std::byte* addElement(std::uint32_t vector);
};

/// Objects of any datatype in one event, by the names of their members: for programs without the
/// generated class. One thread builds it; once it is in a frame, any number may read it.
///
///     const kaon::GenericCollection hits(*frame.get("Hits"));
///     for (const kaon::GenericObject hit : hits)
///       sum += hit.get<float>("energy") * hit.relatedOne("particle").get<double>("energy");
class GenericCollection : public CollectionBase {
  template <class Object>
  struct Elements {
    using value_type = Object;
    detail::CollectionData* objects = nullptr; // null for a subset
    detail::CollectionData* references = nullptr;
    [[nodiscard]] Object operator[](std::size_t i) const {
      if (objects)
        return {objects, objects->rowOf(i)};
      const std::uint32_t first = references->layout().ones[0].first;
      const detail::ObjectLocator place = references->follow(0, first, references->rowOf(i));
      return {place.data, place.row};
    }
  };

public:
  using value_type = GenericObject;
  using iterator = detail::IndexIterator<Elements<GenericObject>>;
  using const_iterator = iterator;

  /// Makes a collection to build. The datatype must live as long as the program, like those of
  /// Reader::datatypes() and modelDatatypes().
  explicit GenericCollection(const Datatype& type) : CollectionBase(type), m_isView(false) {}
  /// Makes a view of a collection of any class, which must outlive it. The view cannot change it.
  explicit GenericCollection(const CollectionBase& collection)
      : GenericCollection(collection.data()) {}
  /// Makes a view, too; for the library.
  explicit GenericCollection(detail::CollectionData& data) : CollectionBase(data), m_isView(true) {}

  /// Returns the datatype of its objects; also for a subset.
  [[nodiscard]] const Datatype& datatype() const;
  /// For the library.
  [[nodiscard]] detail::CollectionType collectionType() const override;

  /// Adds an object with default values. Throws Error(usage) for a view or a subset.
  MutableGenericObject create();
  void reserve(std::size_t objects) { data().reserve(objects); }
  /// Adds a reference to an object of another collection to a subset. Throws Error(usage) unless
  /// this is a subset, and Error(type) for an object of another datatype.
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

  /// Returns a member of all objects; see MemberColumn. Throws the errors of GenericObject, and
  /// Error(usage) for a subset.
  template <detail::IsMemberValue V>
  [[nodiscard]] detail::MemberColumn<V> column(std::string_view member) const {
    using Value = detail::MemberValue<V>;
    return {
        ownObjects("a column"),
        detail::findLeaf(datatype(), member, scalarOf<typename Value::Element>(), Value::extent)};
  }

  using CollectionBase::decorate;
  using CollectionBase::decoration;

private:
  [[nodiscard]] Elements<GenericObject> elements() const {
    if (detail::CollectionData* const objects = ownObjects())
      return {objects, nullptr};
    return {nullptr, &data()};
  }
  bool m_isView;
};

namespace detail {

/// Returns the description of a GenericCollection of these objects; for the library.
[[nodiscard]] CollectionType genericCollectionType(const Datatype& objects);

} // namespace detail

/// Which classes of the program represent datatypes of the same name.
enum class ProgramClasses {
  ofAnyVersion,
  ofTheModels ///< only those generated from exactly these models
};
/// Returns the datatypes of other models, given as `kaon model --json` prints them. Any thread.
[[nodiscard]] const ModelDatatypes&
modelDatatypes(std::vector<ModelDatatypes::Document> models,
               ProgramClasses classes = ProgramClasses::ofAnyVersion);

} // namespace kaon
