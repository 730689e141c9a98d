#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/dataset/Action.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace kaon::detail {

/// An action that computes one value.
template <class T>
struct ResultAction : Action {
  /// Returns the action that computes this result in a variation.
  [[nodiscard]] virtual std::shared_ptr<ResultAction> in(std::string variation) const = 0;
  std::optional<T> value;
  std::optional<Error> failure; ///< why the computed action has no value
};

/// An action whose state gathers a value. State has the functions `add(entries, arguments)`,
/// `merge(next)` and `result()`.
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
    } catch (const Error& error) { // Fails this result only; other results of the pass are valid.
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

} // namespace kaon::detail
