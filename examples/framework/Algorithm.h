#pragma once

#include <kaon/event/Frame.h>

#include <memory>
#include <vector>

/// One step of the processing, from a plugin. All threads share it.
class Algorithm {
public:
  virtual ~Algorithm() = default;
  /// Reads from an event and puts results into it.
  virtual void process(kaon::Frame& event) const = 0;
};

using Algorithms = std::vector<std::unique_ptr<Algorithm>>;

/// The function "addAlgorithms" of each plugin.
using AddAlgorithms = void(Algorithms&);
