#pragma once

#include <kaon/base/Error.h>
#include <kaon/object/Handle.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kaon {

/// The base of all interfaces: a handle to an object of one of several datatypes, `Types`; the
/// object stores which. It is as light as any handle, and valid as long. Generated classes derive
/// from it and add the members that all the datatypes have.
template <class... Types>
class Interface : public Handle {
public:
  static_assert(sizeof...(Types) > 0, "an interface needs a datatype");
  using interfaced_types = std::tuple<Types...>;
  /// Whether it can hold an object of T.
  template <class T>
  static constexpr bool canBe = (std::same_as<T, Types> || ...);
  /// Whether it can be made of a T: of an object of one of its types, mutable or not.
  template <class T>
  static constexpr bool isInitializableFrom = (std::derived_from<T, Types> || ...);

  /// Makes a handle to an object, mutable or not.
  template <class T>
    requires isInitializableFrom<T>
  Interface(const T& object) : Handle(object) {}
  Interface(detail::CollectionData* data, std::uint32_t row) noexcept : Handle(data, row) {}

  /// Returns the datatypes that it can hold.
  static constexpr std::array<detail::DatatypeFunction, sizeof...(Types)> datatypes() {
    return {Types::datatype...};
  }

  /// Whether it is a T. An interface that stands for no object is an empty handle of its first
  /// type.
  template <class T>
    requires canBe<T>
  [[nodiscard]] bool isA() const noexcept {
    const detail::ObjectLocator object = place();
    if (!object)
      return std::same_as<T, std::tuple_element_t<0, interfaced_types>>;
    return isOf<T>(object.data->type());
  }
  /// Returns it as a T. Throws Error(type) if it is not a T.
  template <class T>
    requires canBe<T>
  [[nodiscard]] T as() const {
    if (!isA<T>())
      fail(ErrorKind::type, "an interface stands for ",
           isAvailable() ? place().data->type().name : "no object", ", not for ",
           T::datatype().name);
    return detail::objectAt<T>(place());
  }
  /// Calls `use(object)` with the object in its own class. Throws Error(usage) if there is no
  /// object.
  template <class Use>
  auto visit(Use use) const {
    checkAvailable();
    return visitAs<Use, Types...>(use);
  }

protected:
  /// Returns a member, by the number of its leaf in each of the types.
  template <class T, std::uint32_t first, std::uint32_t... others>
  [[nodiscard]] T member() const {
    checkAvailable();
    const detail::ObjectLocator object = place();
    if constexpr (((others == first) && ...))
      return load<T>(object, first);
    else
      return load<T>(object, leafOf(object.data->type(), {first, others...}));
  }

  /// Returns a string member, by its number among the vector members of each of the types.
  template <std::uint32_t first, std::uint32_t... others>
  [[nodiscard]] std::string_view stringMember() const {
    checkAvailable();
    const detail::ObjectLocator object = place();
    return loadString(object, leafOf(object.data->type(), {first, others...}));
  }

private:
  template <class T>
  static bool isOf(const Datatype& type) {
    const Datatype& expected = T::datatype();
    // Nearly all are in one library.
    return &type == &expected || (type.name == expected.name && detail::areSame(type, expected));
  }
  static std::uint32_t leafOf(const Datatype& type,
                              const std::array<std::uint32_t, sizeof...(Types)>& leaves) {
    std::size_t i = 0;
    (void)((isOf<Types>(type) || (++i, false)) || ...);
    if (i == leaves.size()) [[unlikely]] // from another library with another version of the model
      fail(ErrorKind::type, "an interface does not stand for this ", type.name);
    return leaves[i];
  }
  void checkAvailable() const {
    if (!isAvailable()) [[unlikely]]
      fail(ErrorKind::usage, "an interface that stands for no object has no members");
  }
  template <class Use, class T, class... Others>
  auto visitAs(Use& use) const {
    if constexpr (sizeof...(Others) > 0)
      if (!isA<T>())
        return visitAs<Use, Others...>(use);
    return use(as<T>());
  }
};

template <class T>
  requires requires { T::datatypes(); }
inline constexpr auto detail::datatypesOf<T> = T::datatypes();

} // namespace kaon
