#pragma once

#include <kaon/array/Array.h>
#include <kaon/detail/event/Parameters.h>
#include <kaon/detail/loop/Event.h>
#include <kaon/detail/reading/EntryValue.h>
#include <kaon/object/Collection.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace kaon {

template <IsCollection T>
class OnDemand;

} // namespace kaon

namespace kaon::loop {

/// How a parameter of an algorithm's function gets its value. Each specialization has a function
/// info(), which describes the input, and get(event, input).
template <class T>
struct Argument {
  static_assert(!std::derived_from<T, CollectionBase>,
                "a collection is taken as const T&, const T* or kaon::OnDemand<T>");
  static_assert(std::derived_from<T, CollectionBase>,
                "an algorithm takes collections, numbers, kaon::Array<number>, strings, vectors of "
                "parameter values, and std::optional of numbers, strings and vectors");
};

template <IsCollection T>
struct Argument<const T&> {
  static InputInfo info() { return {.collection = &detail::collectionType<T>()}; }
  const T& get(Event& event, std::size_t input) const {
    return static_cast<const T&>(event.neededCollection(input));
  }
};

template <IsCollection T>
struct Argument<const T*> {
  static InputInfo info() {
    return {.collection = &detail::collectionType<T>(), .isOptional = true};
  }
  const T* get(Event& event, std::size_t input) const {
    return static_cast<const T*>(event.collection(input));
  }
};

template <IsCollection T>
struct Argument<OnDemand<T>> {
  static InputInfo info() { return {.collection = &detail::collectionType<T>()}; }
  OnDemand<T> get(Event& event, std::size_t input) const { return {event, input}; }
};

/// One number per event.
template <class T>
class NumberInput {
public:
  static InputInfo info(bool isOptional) {
    return {.kind = InputKind::number,
            .column = {scalarOf<T>(), 0},
            .parameter = nameOf(scalarOf<T>()),
            .isOptional = isOptional};
  }
  /// Returns null if the event lacks the number. The pointer is valid until the next call.
  const T* find(Event& event, std::size_t input) {
    if (event.batch() != m_batch) [[unlikely]]
      view(event, input);
    if (m_values && !m_offsets) [[likely]]
      return m_values + event.row();
    return m_values ? findInList(event, input) : findParameter(event, input);
  }

private:
  void view(Event& event, std::size_t input) {
    const detail::ColumnValues* const column = event.column(input);
    m_values = column ? column->template as<T>().data() : nullptr;
    const auto offsets = column ? column->offsets[0] : std::span<const std::uint32_t>();
    m_offsets = offsets.empty() ? nullptr : offsets.data();
    m_batch = event.batch();
  }
  const T* findInList(Event& event, std::size_t input) const {
    const std::uint32_t begin = m_offsets[event.row()];
    const std::uint32_t end = m_offsets[event.row() + 1];
    if (end - begin > 1)
      event.failNotOne(input, end - begin);
    return end > begin ? m_values + begin : nullptr;
  }
  const T* findParameter(Event& event, std::size_t input) {
    if constexpr (detail::IsParameter<T>) {
      const std::optional<T> value = event.parameter<T>(input);
      m_parameter = value.value_or(T());
      return value ? &m_parameter : nullptr;
    } else {
      return nullptr;
    }
  }

  std::uint64_t m_batch = 0;
  const T* m_values = nullptr;
  const std::uint32_t* m_offsets = nullptr; // for columns with a list per event
  T m_parameter{};                          // made by an algorithm
};

template <class T>
  requires std::is_arithmetic_v<T>
struct Argument<T> {
  static InputInfo info() { return NumberInput<T>::info(false); }
  T get(Event& event, std::size_t input) {
    const T* const value = number.find(event, input);
    if (!value) [[unlikely]]
      event.failMissing(input);
    return *value;
  }
  NumberInput<T> number = {};
};

template <class T>
  requires std::is_arithmetic_v<T>
struct Argument<std::optional<T>> {
  static InputInfo info() { return NumberInput<T>::info(true); }
  std::optional<T> get(Event& event, std::size_t input) {
    const T* const value = number.find(event, input);
    return value ? std::optional<T>(*value) : std::nullopt;
  }
  NumberInput<T> number = {};
};

/// A list of numbers of the event.
template <class T>
  requires std::is_arithmetic_v<T>
struct Argument<Array<T>> {
  static InputInfo info() {
    return {.kind = InputKind::list, .column = detail::EntryValue<Array<T>>::type};
  }
  Array<T> get(Event& event, std::size_t input) {
    if (event.batch() != batch) [[unlikely]] {
      values.view(*event.column(input));
      batch = event.batch();
    }
    return values[event.row()];
  }
  std::uint64_t batch = 0;
  detail::EntryValue<Array<T>> values = {};
};

/// Types of parameters other than single numbers.
template <class T>
concept IsLargeParameter = detail::IsParameter<T> && !std::is_arithmetic_v<T>;

template <IsLargeParameter T>
[[nodiscard]] InputInfo parameterInfo(bool isOptional) {
  using Element = typename detail::ParameterElement<T>::type;
  return {.kind = InputKind::parameter,
          .parameter = detail::parameterType<Element>(),
          .isOptional = isOptional};
}

template <IsLargeParameter T>
struct Argument<T> {
  static InputInfo info() { return parameterInfo<T>(false); }
  T get(Event& event, std::size_t input) const {
    std::optional<T> value = event.parameter<T>(input);
    if (!value)
      event.failMissing(input);
    return *std::move(value);
  }
};

template <IsLargeParameter T>
struct Argument<std::optional<T>> {
  static InputInfo info() { return parameterInfo<T>(true); }
  std::optional<T> get(Event& event, std::size_t input) const { return event.parameter<T>(input); }
};

/// The Argument for a parameter as it is declared: values may also be taken by const reference.
template <class T>
struct ArgumentOf {
  using type = Argument<std::remove_cvref_t<T>>;
};
template <IsCollection T>
struct ArgumentOf<const T&> {
  using type = Argument<const T&>;
};
template <class T>
struct ArgumentOf<T&> {
  static_assert(std::is_const_v<T>, "the references that an algorithm takes must be const");
  using type = Argument<std::remove_cvref_t<T>>;
};

} // namespace kaon::loop
