#pragma once

#include <kaon/detail/loop/Event.h>
#include <kaon/object/Collection.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

// The inputs, outputs and state of the algorithms that EventLoop::add() takes.

namespace kaon {

/// The names of an algorithm's inputs, in the order of its function's parameters.
struct Inputs {
  Inputs() = default;
  Inputs(std::initializer_list<std::string> all) : names(all) {}
  explicit Inputs(std::vector<std::string> all) : names(std::move(all)) {}
  std::vector<std::string> names;
};

/// The names of an algorithm's outputs, in the order of its function's tuple.
struct Outputs {
  Outputs() = default;
  Outputs(std::initializer_list<std::string> all) : names(all) {}
  explicit Outputs(std::vector<std::string> all) : names(std::move(all)) {}
  std::vector<std::string> names;
};

/// How to make an algorithm with mutable state for each thread, and how to merge these states.
template <class Make, class Merge>
struct PerThread {
  Make make;
  Merge merge;
};
/// Gives each thread an algorithm of its own, `make()`, whose state may change with each call.
/// After the last event, the thread that called EventLoop::run() calls `merge(algorithm)` for each
/// of them, one after another. Which events an algorithm sees depends on timing: sums of floats may
/// differ in their last bits from run to run.
template <class Make, class Merge>
[[nodiscard]] PerThread<Make, Merge> perThread(Make make, Merge merge) {
  return {std::move(make), std::move(merge)};
}
/// Gives each thread an algorithm of its own that is dropped after the last event, such as scratch
/// memory.
template <class Make>
[[nodiscard]] auto perThread(Make make) {
  return perThread(std::move(make), [](const auto& /*algorithm*/) {});
}

/// A collection that an algorithm needs in some events only; kaon reads nothing of it in the
/// others. Valid during the call of the algorithm, and only in its thread.
template <IsCollection T>
class OnDemand {
public:
  OnDemand(loop::Event& event, std::size_t input) : m_event(&event), m_input(input) {}
  /// Throw Error(name) if the event lacks the collection.
  [[nodiscard]] const T& operator*() const {
    return static_cast<const T&>(m_event->neededCollection(m_input));
  }
  [[nodiscard]] const T* operator->() const { return &**this; }
  /// Returns null if the event lacks the collection.
  [[nodiscard]] const T* getIfPresent() const {
    return static_cast<const T*>(m_event->collection(m_input));
  }

private:
  loop::Event* m_event;
  std::size_t m_input;
};

} // namespace kaon
