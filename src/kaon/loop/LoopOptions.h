#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/WriterOptions.h>

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace kaon {

/// What a loop writes of its events. A frame that is written has what the algorithms made, what is
/// kept of the input, and all parameters of both.
struct LoopOutput {
  std::string path;
  std::vector<std::string> keep = {}; ///< collections of the input; "*" is all of them
  std::vector<std::string> drop = {}; ///< collections of algorithms that are not written
  std::string category = "events";
  WriterOptions options = {};
};

struct LoopOptions {
  /// Is told of what is done, about a hundred times, or fewer if it is done soon. As Progress says.
  Progress progress = {};
  /// Ends the loop between two events. The thread that asks for it may be any.
  std::stop_token stop = {};
  /// Entries that a thread takes at a time, or several times as many where nothing is written and
  /// they are soon done; and the most that a cluster of the output has. 0: a hundredth of all.
  std::uint64_t entriesPerPart = 0;
};

/// What a loop did.
struct LoopSummary {
  std::uint64_t entries = 0;  ///< that it began with
  std::uint64_t accepted = 0; ///< of them by all filters
  bool isStopped = false;     ///< before it was done: nothing was merged, the output is unfinished
};

} // namespace kaon
