#pragma once

#include <kaon/dataset/Formula.h>
#include <kaon/dataset/Node.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// What an action gathers from a part of the entries. For one thread at a time.
class Accumulator {
public:
  virtual ~Accumulator() = default;
  Accumulator() = default;
  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;
  /// Adds so many entries, at least one.
  virtual void add(std::size_t entries, std::span<const ArgumentValues> arguments) = 0;
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

  std::shared_ptr<const Node> node; ///< whose entries they are
  std::vector<Argument> arguments;
  std::string variation; ///< "": the nominal one
  bool isDone = false;
};

} // namespace kaon
