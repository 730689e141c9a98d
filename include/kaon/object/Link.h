#pragma once

#include <kaon/object/Collection.h>
#include <kaon/object/Interface.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace kaon {

namespace detail {

/// The description of links between objects of two types, from a model.
struct LinkInfo {
  std::string_view name; ///< with its namespace; also the name of the datatype in files
  std::string_view description;
  const ModelInfo* model = nullptr;
  DatatypeStorage storage = {};
  std::span<const Rename> renames = {}; ///< as in Datatype
  std::span<const std::string_view> oldNames = {};
};

} // namespace detail

namespace detail {
inline constexpr std::string_view linkPrefix = "podio::Link<";
inline constexpr std::string_view linkCollectionPrefix = "podio::LinkCollection<";
/// The characters of a name in podio: the prefix, the ends and ">".
template <const std::string_view& prefix, class From, class To>
inline constexpr auto podioCharacters = [] {
  constexpr std::string_view parts[] = {prefix, From::typeName, ",", To::typeName, ">"};
  std::array<char, prefix.size() + From::typeName.size() + To::typeName.size() + 2> all{};
  char* end = all.data();
  for (const std::string_view part : parts)
    end = std::ranges::copy(part, end).out;
  return all;
}();
template <const std::string_view& prefix, class From, class To>
inline constexpr std::string_view podioName{podioCharacters<prefix, From, To>.data(),
                                            podioCharacters<prefix, From, To>.size()};
/// Returns the name of a class of links: "kaon::Link<A,B>".
template <class From, class To>
std::string linkName(std::string_view prefix) {
  return std::string(prefix) + "<" + std::string(From::typeName) + "," + std::string(To::typeName) +
         ">";
}
} // namespace detail

namespace detail {

/// Returns the LinkInfo of a pair of types; generated code specialises it. The name of a pair that
/// no model links is kaon::Link<From,To>.
template <class From, class To>
struct LinkModel {
  static const LinkInfo& info() {
    static const std::string name = detail::linkName<From, To>("kaon::Link");
    static const LinkInfo info{.name = name,
                               .description = "A link between two objects, with a weight"};
    return info;
  }
};

} // namespace detail

template <class From, class To>
class MutableLink;
template <class From, class To>
class LinkCollection;

namespace detail {

enum class LinkEndKind : std::uint8_t { from, to, neither };

/// The end that an object of T becomes: that of its own class, or else the only one that it
/// converts to. An object of one datatype may also convert to an interface at the other end.
template <class From, class To, class T>
consteval LinkEndKind endOfLink() {
  constexpr bool isFrom = std::derived_from<T, From>, isTo = std::derived_from<T, To>;
  constexpr bool asFrom = std::convertible_to<const T&, From>,
                 asTo = std::convertible_to<const T&, To>;
  if (isFrom != isTo)
    return isFrom ? LinkEndKind::from : LinkEndKind::to;
  if (asFrom != asTo)
    return asFrom ? LinkEndKind::from : LinkEndKind::to;
  return LinkEndKind::neither;
}
template <class From, class To, class T>
inline constexpr LinkEndKind endOf = endOfLink<From, To, T>();

} // namespace detail

/// A weighted relation between two objects that neither of them stores: a handle, like those of
/// datatypes. From and To are classes of datatypes or interfaces. Supports structured bindings:
/// `const auto [from, to, weight] = link;`
template <class From, class To>
class Link : public Handle {
public:
  struct DataType {
    float weight = 1;
    friend bool operator==(const DataType&, const DataType&) = default;
  };
  using FromType = From;
  using ToType = To;
  using MutableType = MutableLink<From, To>;
  using CollectionType = LinkCollection<From, To>;
  using mutable_type = MutableType;
  using collection_type = CollectionType;
  /// The name that podio has for this class.
  static constexpr std::string_view typeName = detail::podioName<detail::linkPrefix, From, To>;

  static const Datatype& datatype();

  /// Return the numbers of accessors in the datatype; for the library.
  template <class V>
  static constexpr std::uint32_t leafOf(V (Link::*function)() const) {
    return numberOf(function, detail::Accessor<Link, float>{&Link::getWeight, 0});
  }
  template <class V>
  static constexpr std::uint32_t relationOf(V (Link::*function)() const) {
    return numberOf(function, detail::Accessor<Link, const From>{&Link::getFrom, 0},
                    detail::Accessor<Link, const To>{&Link::getTo, 1});
  }

  /// Makes a new link that belongs to no collection, without ends and with weight 1.
  Link() : Handle(datatype()) {}
  Link(detail::CollectionData* data, std::uint32_t row) noexcept : Handle(data, row) {}
  Link(const Link&) = default;
  Link(Link&&) = default;
  // Not assignable as a temporary: `links[0] = link` would have no effect.
  Link& operator=(const Link&) & = default;
  Link& operator=(Link&&) & = default;
  static Link makeEmpty() noexcept { return {detail::noObjects(), 0}; }

  /// Returns a copy of the link outside any collection, with the same ends if `cloneRelations`.
  [[nodiscard]] MutableLink<From, To> clone(bool cloneRelations = true) const {
    auto copy = MutableLink<From, To>::makeEmpty();
    static_cast<Handle&>(copy) = cloneHandle(cloneRelations);
    return copy;
  }

  [[nodiscard]] const From getFrom() const { return relatedOne<From, 0>(); }
  [[nodiscard]] const To getTo() const { return relatedOne<To, 1>(); }
  [[nodiscard]] float getWeight() const {
    return Handle::get<float, 0>(offsetof(DataType, weight));
  }

  /// Returns the end of this type.
  template <class T>
    requires(!std::same_as<From, To> && (std::same_as<T, From> || std::same_as<T, To>))
  [[nodiscard]] T get() const {
    if constexpr (std::same_as<T, From>)
      return getFrom();
    else
      return getTo();
  }
  /// Returns from, to or weight by number.
  template <std::size_t part>
    requires(part < 3)
  [[nodiscard]] auto get() const {
    if constexpr (part == 0)
      return getFrom();
    else if constexpr (part == 1)
      return getTo();
    else
      return getWeight();
  }
};

/// A Link whose ends and weight can be changed.
template <class From, class To>
class MutableLink : public Link<From, To> {
public:
  using object_type = Link<From, To>;
  MutableLink() = default;
  using Link<From, To>::Link;
  MutableLink(const MutableLink&) = default;
  MutableLink(MutableLink&&) = default;
  MutableLink& operator=(const MutableLink&) & = default;
  MutableLink& operator=(MutableLink&&) & = default;
  static MutableLink makeEmpty() noexcept { return {detail::noObjects(), 0}; }

  void setFrom(const From& object) { this->template relateOne<0>(object); }
  void setTo(const To& object) { this->template relateOne<1>(object); }
  void setWeight(float weight) { Handle::set(0, weight); } // the struct has no other member
  /// Sets the end of this type.
  template <class T>
    requires(detail::endOf<From, To, T> != detail::LinkEndKind::neither)
  void set(const T& object) {
    if constexpr (detail::endOf<From, To, T> == detail::LinkEndKind::from)
      setFrom(object);
    else
      setTo(object);
  }
};

/// The links of one kind in one event.
template <class From, class To>
class LinkCollection : public Collection<Link<From, To>> {
public:
  using from_type = From;
  using to_type = To;
  /// The names that podio has for this class and for those of its links.
  static constexpr std::string_view typeName =
      detail::podioName<detail::linkCollectionPrefix, From, To>;
  static constexpr std::string_view valueTypeName = Link<From, To>::typeName;
  static constexpr std::string_view dataTypeName = "podio::LinkData";

  using Collection<Link<From, To>>::Collection;

  /// For the library.
  [[nodiscard]] detail::CollectionType collectionType() const override {
    (void)isRegistered;
    return kaon::detail::collectionType<LinkCollection>();
  }
  [[nodiscard]] static std::string_view className() {
    static const detail::LinkInfo& info = detail::LinkModel<From, To>::info();
    static const std::string name = info.model ? std::string(info.name) + "Collection"
                                               : detail::linkName<From, To>("kaon::LinkCollection");
    return name;
  }
  [[nodiscard]] static std::string_view dataClassName() {
    static const std::string name = std::string(Link<From, To>::datatype().name) + "::DataType";
    return name;
  }

  /// Adds a link without ends, with weight 1.
  MutableLink<From, To> create() { return Collection<Link<From, To>>::create(); }
  MutableLink<From, To> create(const From& from, const To& to, float weight = 1) {
    MutableLink<From, To> link = create();
    link.setFrom(from);
    link.setTo(to);
    link.setWeight(weight);
    return link;
  }

private:
  // Initialised, and thereby registered, in each program that makes or gets this collection.
  static inline const bool isRegistered = registerCollections<LinkCollection>();
};

template <class From, class To>
const Datatype& Link<From, To>::datatype() {
  static const DataType defaults{};
  static constexpr Leaf weight{"weight", Scalar::Float32, 1, 0, "", "of the link"};
  static const std::array relations{
      Relation{"from", false, From::typeName, detail::datatypesOf<From>, "where it begins"},
      Relation{"to", false, To::typeName, detail::datatypesOf<To>, "where it ends"}};
  static const detail::LinkInfo& info = detail::LinkModel<From, To>::info();
  static const Datatype description{.name = info.name,
                                    .description = info.description,
                                    .rowSize = sizeof(DataType),
                                    .alignment = alignof(DataType),
                                    .defaults = std::as_bytes(std::span(&defaults, 1)),
                                    .leaves = std::span(&weight, 1),
                                    .vectors = {},
                                    .relations = relations,
                                    .model = info.model,
                                    .storage = info.storage,
                                    .renames = info.renames,
                                    .oldNames = info.oldNames};
  return description;
}

} // namespace kaon

template <class From, class To>
struct std::tuple_size<kaon::Link<From, To>> : std::integral_constant<std::size_t, 3> {};
template <class From, class To>
struct std::tuple_size<kaon::MutableLink<From, To>> : std::integral_constant<std::size_t, 3> {};
template <std::size_t part, class From, class To>
struct std::tuple_element<part, kaon::Link<From, To>> {
  using type = std::tuple_element_t<part, std::tuple<From, To, float>>;
};
template <std::size_t part, class From, class To>
struct std::tuple_element<part, kaon::MutableLink<From, To>>
    : std::tuple_element<part, kaon::Link<From, To>> {};
