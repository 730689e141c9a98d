#pragma once

#include <kaon/base/Error.h>
#include <kaon/dataset/Number.h>
#include <kaon/detail/dataset/Run.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <limits>
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

} // namespace detail

/// A result that a dataframe will compute. The first access computes it, in one pass with all
/// booked results of the dataset that still exist. Cheap to copy. Thread-safe: the first thread to
/// access a result of a pass computes them all, and other threads wait.
template <class T>
class Result {
public:
  explicit Result(std::shared_ptr<detail::ResultAction<T>> action) : m_action(std::move(action)) {}
  // Moving copies, so a Result is never empty.
  Result(const Result&) = default;
  Result& operator=(const Result&) = default;

  /// Computes the result if necessary. Throws any error of the computation.
  [[nodiscard]] const T& get() const {
    if (!m_action->isDone)
      detail::runBooked({m_action});
    if (m_action->failure)
      throw *m_action->failure;
    return *m_action->value;
  }
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }

  // For internal use.
  [[nodiscard]] const std::shared_ptr<detail::ResultAction<T>>& action() const { return m_action; }
  [[nodiscard]] std::vector<std::shared_ptr<detail::Action>> actions() const { return {m_action}; }

private:
  std::shared_ptr<detail::ResultAction<T>> m_action;
};

/// Computes these results, of one or several datasets, in one pass for each dataset. Returns when
/// all are computed. `progress` may throw to end the computation.
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

/// Returns this result in each variation of its dataframe, by name. They are computed like other
/// results, all in the same pass.
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

/// Statistics of the values of a column. `min` and `max` are integers if the column has integers.
struct Statistics {
  std::uint64_t count = 0;
  double mean = 0;
  double squares = 0; ///< sum of squared distances from the mean
  Number min = std::numeric_limits<double>::infinity();
  Number max = -std::numeric_limits<double>::infinity();

  /// Returns the standard deviation of the values; NaN for fewer than two values.
  [[nodiscard]] double deviation() const noexcept {
    return count < 2 ? std::numeric_limits<double>::quiet_NaN()
                     : std::sqrt(squares / static_cast<double>(count - 1));
  }
};

/// The values of some columns in the first entries, as texts.
struct Display {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows; ///< for each entry, a text for each column
};

/// Prints a table.
std::ostream& operator<<(std::ostream& out, const Display& display);

/// The numbers of entries that pass each filter of a dataframe, in the order of the filters.
class CutFlow {
public:
  struct Cut {
    std::string label;
    std::uint64_t entries = 0; ///< that reached the filter
    std::uint64_t passed = 0;
    Number weight = 0;       ///< sum of the weights of `entries`; their number if no weight is used
    Number passedWeight = 0; ///< sum of the weights of `passed`
  };
  /// The number of entries at one step of a dataframe, and the sum of their weights.
  struct Entries {
    Result<std::uint64_t> number;
    std::vector<Result<Number>> weight; ///< one result, or empty if no weight is used
  };
  /// A filter. `asked` equals `passed` of the filter before it, unless explode() or implode()
  /// stands between them.
  struct Filter {
    std::string label;
    Entries asked;
    Entries passed;
  };

  explicit CutFlow(std::vector<Filter> filters) : m_filters(std::move(filters)) {}

  [[nodiscard]] std::vector<Cut> cuts() const;
  [[nodiscard]] const std::vector<Filter>& filters() const noexcept { return m_filters; }
  [[nodiscard]] std::vector<std::shared_ptr<detail::Action>> actions() const;

private:
  std::vector<Filter> m_filters;
};

/// Prints a table with a row for each cut.
std::ostream& operator<<(std::ostream& out, const CutFlow& cutFlow);

} // namespace kaon
