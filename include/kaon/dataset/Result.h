#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/dataset/Run.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

namespace detail {

template <class T>
struct ResultAction : Action {
  /// The action of the same result in a variation.
  [[nodiscard]] virtual std::shared_ptr<ResultAction> in(std::string variation) const = 0;
  std::optional<T> value;
  std::optional<Error> failure; ///< why there is no value though it was computed
};

/// An action whose state is a value: `add(entries, arguments)` it, `merge(next)` it, and take the
/// `result()`.
template <class State>
class StateAction final : public ResultAction<decltype(std::declval<State&&>().result())> {
public:
  explicit StateAction(State empty) : m_empty(std::move(empty)) {}

  [[nodiscard]] std::unique_ptr<Accumulator> accumulator() const override {
    return std::make_unique<StateAccumulator>(m_empty);
  }
  [[nodiscard]] auto in(std::string name) const
      -> std::shared_ptr<ResultAction<decltype(std::declval<State&&>().result())>> override {
    auto action = std::make_shared<StateAction>(m_empty);
    action->node = this->node;
    action->arguments = this->arguments;
    action->variation = std::move(name);
    return action;
  }
  void finish(std::unique_ptr<Accumulator> all) override {
    try {
      this->value.emplace(std::move(static_cast<StateAccumulator&>(*all).state).result());
    } catch (const Error& error) { // of this result alone: others of the pass are there
      this->failure.emplace(error);
    }
  }

private:
  struct StateAccumulator final : Accumulator {
    explicit StateAccumulator(const State& empty) : state(empty) {}
    void add(std::size_t entries, std::span<const ArgumentValues> arguments) override {
      state.add(entries, arguments);
    }
    [[nodiscard]] bool isFull() const override {
      if constexpr (requires { state.isFull(); })
        return state.isFull();
      return false;
    }
    void merge(Accumulator& next) override {
      state.merge(std::move(static_cast<StateAccumulator&>(next).state));
    }
    State state;
  };
  State m_empty;
};

} // namespace detail

/// What was asked of a dataframe. It is computed when it is first looked at, together with all else
/// that was asked of the same dataset until then and is still wanted. Cheap to copy. Any thread:
/// the first that looks at one of a pass computes them, others wait for it.
template <class T>
class Result {
public:
  explicit Result(std::shared_ptr<detail::ResultAction<T>> action) : m_action(std::move(action)) {}
  // To move it is to copy it: so there is none of nothing.
  Result(const Result&) = default;
  Result& operator=(const Result&) = default;

  /// Throws what computing it does.
  [[nodiscard]] const T& get() const {
    if (!m_action->isDone)
      detail::runBooked({m_action});
    if (m_action->failure)
      throw *m_action->failure;
    return *m_action->value;
  }
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }

  // For the library.
  [[nodiscard]] const std::shared_ptr<detail::ResultAction<T>>& action() const { return m_action; }
  [[nodiscard]] std::vector<std::shared_ptr<detail::Action>> actions() const { return {m_action}; }

private:
  std::shared_ptr<detail::ResultAction<T>> m_action;
};

/// Computes these results, of one dataset or of several: one pass for each. Returns when all are
/// there. `progress` may throw to end it.
template <class... Results>
void run(const Progress& progress, const Results&... results) {
  std::vector<std::shared_ptr<detail::Action>> actions;
  (std::ranges::move(results.actions(), std::back_inserter(actions)), ...);
  detail::runBooked(actions, progress);
}
template <class First, class... Results>
  requires(!std::convertible_to<First, Progress>)
void run(const First& first, const Results&... results) {
  run(Progress(), first, results...);
}

/// What a result is in each variation that there is at its dataframe, by name. Computed as others
/// are, all of them in the same pass.
template <class T>
[[nodiscard]] std::map<std::string, Result<T>> variations(const Result<T>& nominal) {
  std::map<std::string, Result<T>> results;
  for (const std::string& name : detail::variationsOf(*nominal.action()->node)) {
    std::shared_ptr<detail::ResultAction<T>> action = nominal.action()->in(name);
    detail::bookAction(action);
    results.emplace(name, Result<T>(std::move(action)));
  }
  return results;
}

} // namespace kaon
