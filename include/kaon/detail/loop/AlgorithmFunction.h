#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/base/Signature.h>
#include <kaon/detail/loop/Algorithm.h>
#include <kaon/detail/loop/Argument.h>
#include <kaon/detail/loop/Event.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kaon {

template <class Make, class Merge>
struct PerThread;

} // namespace kaon

namespace kaon::loop {

/// One output of an algorithm.
template <class T>
struct Product {
  static_assert(std::derived_from<T, CollectionBase>,
                "an algorithm must return collections, values of frame parameters, tuples of "
                "these, or nothing; a filter must return bool");
};
template <IsCollection T>
struct Product<T> {
  static OutputInfo info() { return {.collection = &detail::collectionType<T>()}; }
  static void put(Event& event, std::size_t output, T&& collection) {
    event.put(output, std::make_unique<T>(std::move(collection)));
  }
};
template <detail::IsParameter T>
struct Product<T> {
  static OutputInfo info() {
    return {.parameter = detail::parameterType<typename detail::ParameterElement<T>::type>()};
  }
  static void put(Event& event, std::size_t output, T&& value) {
    event.putParameter(output, std::move(value));
  }
};

/// All outputs of an algorithm: the result of its function.
template <class R>
struct Products {
  static std::vector<OutputInfo> infos() { return {Product<R>::info()}; }
  static void put(Event& event, std::size_t first, R&& result) {
    Product<R>::put(event, first, std::move(result));
  }
};
template <>
struct Products<void> {
  static std::vector<OutputInfo> infos() { return {}; }
};
template <class R>
  requires requires { std::tuple_size<R>::value; }
struct Products<R> {
  static std::vector<OutputInfo> infos() { return infos(indices()); }
  static void put(Event& event, std::size_t first, R&& results) {
    put(event, first, std::move(results), indices());
  }

private:
  static constexpr auto indices() { return std::make_index_sequence<std::tuple_size_v<R>>(); }
  template <std::size_t... I>
  static std::vector<OutputInfo> infos(std::index_sequence<I...>) {
    return {Product<std::tuple_element_t<I, R>>::info()...};
  }
  template <std::size_t... I>
  static void put(Event& event, std::size_t first, R&& results, std::index_sequence<I...>) {
    (Product<std::tuple_element_t<I, R>>::put(event, first + I, std::get<I>(std::move(results))),
     ...);
  }
};

/// Calls a function with its inputs, and puts its outputs into the event.
template <class R, class ArgumentList>
class FunctionCall;
template <class R, class... A>
class FunctionCall<R, std::tuple<A...>> {
public:
  FunctionCall(AlgorithmPosition place, bool isFilter) : m_place(place), m_isFilter(isFilter) {}

  static std::vector<InputInfo> inputs() { return {ArgumentOf<A>::type::info()...}; }
  template <class F>
  bool operator()(F& function, Event& event) {
    return call(function, event, std::index_sequence_for<A...>());
  }

private:
  template <class F, std::size_t... I>
  bool call(F& function, Event& event, std::index_sequence<I...>) {
    const auto result = [&]() -> decltype(auto) {
      return std::invoke(function, std::get<I>(m_arguments).get(event, m_place.firstInput + I)...);
    };
    if constexpr (std::is_void_v<R>) {
      result();
      return true;
    } else if constexpr (std::is_same_v<R, bool>) {
      const bool value = result();
      if (m_isFilter)
        return value;
      Products<bool>::put(event, m_place.firstOutput, bool(value));
      return true;
    } else {
      Products<R>::put(event, m_place.firstOutput, result());
      return true;
    }
  }

  AlgorithmPosition m_place;
  bool m_isFilter;
  std::tuple<typename ArgumentOf<A>::type...> m_arguments;
};

/// The call of a function that all threads share.
template <class F, class Call>
class SharedCall final : public AlgorithmCall {
public:
  SharedCall(std::shared_ptr<const F> function, Call call)
      : m_function(std::move(function)), m_call(std::move(call)) {}
  bool run(Event& event) override { return m_call(*m_function, event); }

private:
  std::shared_ptr<const F> m_function;
  Call m_call;
};

/// The call of a function that belongs to one thread.
template <class F, class Merge, class Call>
class OwnCall final : public AlgorithmCall {
public:
  OwnCall(F function, std::shared_ptr<const Merge> merge, Call call)
      : m_function(std::move(function)), m_merge(std::move(merge)), m_call(std::move(call)) {}
  bool run(Event& event) override { return m_call(m_function, event); }
  void merge() override { (*m_merge)(m_function); }

private:
  F m_function;
  std::shared_ptr<const Merge> m_merge;
  Call m_call;
};

/// Throws Error(usage): an algorithm has `size` inputs or outputs, but the caller names `named`.
/// `noun` is the word for an input or output.
[[noreturn]] void failNames(std::string_view algorithm, std::size_t size, std::string_view noun,
                            std::size_t named);

/// Sets the names of inputs or outputs. Throws Error(usage) if there are more or fewer names.
template <class Info>
void nameAll(std::vector<Info>& infos, std::vector<std::string> names, std::string_view algorithm,
             std::string_view noun) {
  if (infos.size() != names.size())
    failNames(algorithm, infos.size(), noun, names.size());
  for (std::size_t i = 0; i < infos.size(); ++i)
    infos[i].name = std::move(names[i]);
}

/// Describes the inputs and outputs of F; the caller sets `makeCall`.
template <class F>
[[nodiscard]] Algorithm describe(std::string name, std::vector<std::string> inputs,
                                 std::vector<std::string> outputs) {
  using Result = std::remove_cvref_t<typename detail::SignatureOf<F>::Result>;
  Algorithm algorithm{
      .name = std::move(name),
      .inputs = FunctionCall<Result, typename detail::SignatureOf<F>::Arguments>::inputs(),
      .outputs = {},
      .makeCall = {}};
  nameAll(algorithm.inputs, std::move(inputs), algorithm.name, "input");
  const bool isFilter = std::is_same_v<Result, bool> && outputs.empty();
  if (!isFilter)
    algorithm.outputs = Products<Result>::infos();
  nameAll(algorithm.outputs, std::move(outputs), algorithm.name, "output");
  return algorithm;
}

/// Returns the call of an F; it is a filter if its bool has no name.
template <class F>
[[nodiscard]] auto callOf(AlgorithmPosition place, bool isFilter) {
  using Result = std::remove_cvref_t<typename detail::SignatureOf<F>::Result>;
  return FunctionCall<Result, typename detail::SignatureOf<F>::Arguments>(place, isFilter);
}

template <class F, class... A>
[[nodiscard]] constexpr bool canBeShared(std::type_identity<std::tuple<A...>>) {
  return std::is_invocable_v<const F&, A...>;
}

template <class F>
[[nodiscard]] Algorithm algorithmOf(std::string name, F function, std::vector<std::string> inputs,
                                    std::vector<std::string> outputs) {
  static_assert(canBeShared<F>(std::type_identity<typename detail::SignatureOf<F>::Arguments>()),
                "threads share this algorithm: make its operator() const, or give each thread its "
                "own with perThread()");
  Algorithm algorithm = describe<F>(std::move(name), std::move(inputs), std::move(outputs));
  const bool isFilter = algorithm.outputs.empty();
  using Call = decltype(callOf<F>({}, isFilter));
  algorithm.makeCall = [isFilter, shared = std::make_shared<const F>(std::move(function))](
                           AlgorithmPosition place) -> std::unique_ptr<AlgorithmCall> {
    return std::make_unique<SharedCall<F, Call>>(shared, callOf<F>(place, isFilter));
  };
  return algorithm;
}

template <class Make, class Merge>
[[nodiscard]] Algorithm algorithmOf(std::string name, PerThread<Make, Merge> own,
                                    std::vector<std::string> inputs,
                                    std::vector<std::string> outputs) {
  using F = std::invoke_result_t<const Make&>;
  Algorithm algorithm = describe<F>(std::move(name), std::move(inputs), std::move(outputs));
  const bool isFilter = algorithm.outputs.empty();
  using Call = decltype(callOf<F>({}, isFilter));
  algorithm.makeCall = [isFilter, make = std::move(own.make),
                        merge = std::make_shared<const Merge>(std::move(own.merge))](
                           AlgorithmPosition place) -> std::unique_ptr<AlgorithmCall> {
    return std::make_unique<OwnCall<F, Merge, Call>>(make(), merge, callOf<F>(place, isFilter));
  };
  return algorithm;
}

} // namespace kaon::loop
