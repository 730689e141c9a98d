#pragma once

#include <kaon/detail/object/CollectionType.h>
#include <kaon/detail/reading/ColumnValues.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::loop {

class Event;

/// How an algorithm takes an input.
enum class InputKind {
  collection,
  number,   ///< one per event: a column of the file or a parameter of an algorithm
  list,     ///< several per event: a column of the file
  parameter ///< of a frame: a string, or a vector
};

/// An input of an algorithm. The C++ function determines its type; the caller of EventLoop::add()
/// names it.
struct InputInfo {
  InputKind kind = InputKind::collection;
  std::string name = {};
  const detail::CollectionType* collection = nullptr; ///< for collections
  detail::ColumnType column = {};                     ///< for numbers and lists
  std::string_view parameter = {}; ///< for numbers and parameters: parameterType()
  bool isOptional = false;         ///< files, or events, may lack it
};

/// An output of an algorithm: a collection, or a parameter of the frame.
struct OutputInfo {
  std::string name = {};
  const detail::CollectionType* collection = nullptr; ///< null: a parameter
  std::string_view parameter = {};                    ///< parameterType()
};

/// Return a name of the type for messages: "tracker::HitCollection", "list of float32", "parameter
/// of string".
[[nodiscard]] std::string typeOf(const InputInfo& input);
[[nodiscard]] std::string typeOf(const OutputInfo& output);

/// The positions of an algorithm's first input and output among those of all algorithms of a loop.
struct AlgorithmPosition {
  std::size_t firstInput = 0;
  std::size_t firstOutput = 0;
};

/// An algorithm, ready to be called in one slot of a loop. For one thread at a time.
class AlgorithmCall {
public:
  virtual ~AlgorithmCall() = default;
  AlgorithmCall() = default;
  AlgorithmCall(const AlgorithmCall&) = delete;
  AlgorithmCall& operator=(const AlgorithmCall&) = delete;

  /// Takes the inputs from the event and puts the outputs there. Returns false if a filter rejects
  /// the event.
  [[nodiscard]] virtual bool run(Event& event) = 0;
  /// Adds the slot's own state to that of the program. Called after the last event.
  virtual void merge() {}
};

/// A function with its inputs and outputs.
struct Algorithm {
  std::string name;
  std::vector<InputInfo> inputs;
  std::vector<OutputInfo> outputs;
  /// Makes the call for a slot. For one thread at a time.
  std::function<std::unique_ptr<AlgorithmCall>(AlgorithmPosition)> makeCall;
};

} // namespace kaon::loop
