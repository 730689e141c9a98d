#pragma once

#include <kaon/detail/dataset/Formula.h>
#include <kaon/detail/dataset/Node.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// What an action gathers from a part of the entries. For one thread at a time.
class Accumulator {
public:
  virtual ~Accumulator() = default;
  Accumulator() = default;
  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;
  /// The entries that follow are of this part of the dataset, the only one that it is given.
  virtual void begin(const DatasetPart& /*part*/) {}
  /// Whether it needs no more entries, these and those of later parts.
  [[nodiscard]] virtual bool isFull() const { return false; }
  /// Adds so many entries, at least one.
  virtual void add(std::size_t entries, std::span<const ArgumentValues> arguments) = 0;
  /// Called once for each part that was gone through, in the order of the parts.
  virtual void commit() {}
  /// Takes over what the next part gave, which is empty after that.
  virtual void merge(Accumulator& next) = 0;
};

/// What is asked of a dataframe's entries.
struct Action {
  virtual ~Action() = default;
  Action() = default;
  Action(const Action&) = delete;
  Action& operator=(const Action&) = delete;

  /// One that is empty.
  [[nodiscard]] virtual std::unique_ptr<Accumulator> accumulator() const = 0;
  /// Takes the whole result, once.
  virtual void finish(std::unique_ptr<Accumulator> all) = 0;
  /// Not all parts will come: no thread has to wait for another one. Any thread.
  virtual void interrupt() noexcept {}
  /// There will be no result, but it may be asked for anew.
  virtual void abandon() noexcept {}

  std::shared_ptr<const Node> node; ///< whose entries they are
  std::vector<Argument> arguments;
  std::string variation; ///< "": the nominal one
  std::atomic<bool> isDone = false;
  /// In which process some thread is computing it, as forks() counts them: see Bookings.
  std::optional<std::uint64_t> runningIn;
};

} // namespace kaon::detail
