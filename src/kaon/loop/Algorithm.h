#pragma once

#include <kaon/batch/ColumnValues.h>
#include <kaon/object/CollectionType.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::loop {

class Event;

/// How an algorithm takes what it is given.
enum class InputKind {
  collection,
  number,   ///< one an event: a column of the file, or a parameter that an algorithm makes
  list,     ///< a list of numbers an event: a column of the file
  parameter ///< of a frame: a string, or a vector
};

/// What an algorithm takes: its type by the C++ function, its name by who adds it to a loop.
struct InputInfo {
  InputKind kind = InputKind::collection;
  std::string name = {};
  const CollectionType* collection = nullptr; ///< of a collection
  ColumnType column = {};                     ///< of numbers and lists
  std::string_view parameter = {};            ///< of numbers and parameters: parameterType()
  bool isOptional = false;                    ///< files, or events, may be without it
};

/// What an algorithm makes: a collection, or a parameter of the frame.
struct OutputInfo {
  std::string name = {};
  const CollectionType* collection = nullptr; ///< null: a parameter
  std::string_view parameter = {};            ///< parameterType()
};

/// "tracker::HitCollection", "list of float32", "parameter of string": for messages.
[[nodiscard]] std::string typeOf(const InputInfo& input);
[[nodiscard]] std::string typeOf(const OutputInfo& output);

/// Where an algorithm's inputs and outputs begin among those of all algorithms of a loop.
struct AlgorithmPlace {
  std::size_t firstInput = 0;
  std::size_t firstOutput = 0;
};

/// An algorithm as one slot of a loop calls it: for one thread at a time.
class AlgorithmCall {
public:
  virtual ~AlgorithmCall() = default;
  AlgorithmCall() = default;
  AlgorithmCall(const AlgorithmCall&) = delete;
  AlgorithmCall& operator=(const AlgorithmCall&) = delete;

  /// Takes its inputs from the event and puts its outputs there. False: a filter rejects the event.
  [[nodiscard]] virtual bool run(Event& event) = 0;
  /// Adds the slot's own state to that of the program, after the last event.
  virtual void merge() {}
};

/// A function, what it takes and what it makes.
struct Algorithm {
  std::string name;
  std::vector<InputInfo> inputs;
  std::vector<OutputInfo> outputs;
  /// For a slot. For one thread at a time.
  std::function<std::unique_ptr<AlgorithmCall>(AlgorithmPlace)> makeCall;
};

} // namespace kaon::loop
