#pragma once

#include <kaon/detail/dataset/DataframeNode.h>
#include <kaon/detail/dataset/Formula.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon {
class Source;
class UnreadableColumns;
} // namespace kaon

namespace kaon::detail {

/// The partial result of an action for one part of the entries. For one thread at a time.
class Accumulator {
public:
  virtual ~Accumulator() = default;
  Accumulator() = default;
  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;
  /// Begins the part of the dataset that the following entries belong to. Called at most once.
  virtual void begin(const DatasetPart& /*part*/) {}
  /// Returns whether further entries, also those of later parts, cannot change the result.
  [[nodiscard]] virtual bool isFull() const { return false; }
  /// Adds `entries` entries, at least one.
  virtual void add(std::size_t entries, std::span<const ArgumentValues> arguments) = 0;
  /// Called once after the last entry of each part, in the order of the parts.
  virtual void commit() {}
  /// Takes over the partial result of the next part, and leaves `next` empty.
  virtual void merge(Accumulator& next) = 0;
};

/// One requested result of a dataframe.
struct Action {
  virtual ~Action() = default;
  Action() = default;
  Action(const Action&) = delete;
  Action& operator=(const Action&) = delete;

  /// Returns an empty accumulator.
  [[nodiscard]] virtual std::unique_ptr<Accumulator> accumulator() const = 0;
  /// Throws Error(name) if a source lacks data, other than columns of the arguments.
  virtual void check(const Source& /*source*/) const {}
  /// Leaves out columns that cannot be read, unless they were asked for by name. Returns whether
  /// another pass may get further.
  [[nodiscard]] virtual bool leaveOut(const UnreadableColumns& /*error*/) { return false; }
  /// Takes the complete result. Called once.
  virtual void finish(std::unique_ptr<Accumulator> all) = 0;
  /// Tells waiting threads that some parts will never come. May be called from any thread.
  virtual void interrupt() noexcept {}
  /// Called if this pass fails to compute the result. A later pass may compute it.
  virtual void abandon() noexcept {}

  std::shared_ptr<const DataframeNode> node; ///< the action uses the entries after this step
  std::vector<ColumnArgument> arguments;
  std::string variation; ///< empty: the nominal result
  std::atomic<bool> isDone = false;
  /// The process in which a thread is computing this action, by the number of forks(). See
  /// Bookings.
  std::optional<std::uint64_t> runningIn;
};

} // namespace kaon::detail
