#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/writing/WriterOptions.h>

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace kaon {

/// The file that a loop writes. A written frame has the outputs of algorithms, the collections kept
/// of the input, and all parameters of both.
struct LoopOutput {
  std::string path;
  std::vector<std::string> keep = {}; ///< collections of the input to write; "*" for all
  std::vector<std::string> drop = {}; ///< collections of algorithms not to write
  std::string category = "events";
  WriterOptions options = {};
};

struct LoopOptions {
  /// Called with the fraction done about a hundred times, or less often if the loop is short. See
  /// Progress.
  Progress progress = {};
  /// Ends the loop between two events. Any thread may request the stop.
  std::stop_token stop = {};
  /// The number of entries that a thread takes at a time, and the most that a cluster of the output
  /// has. A loop that writes no file takes several times as many if they take little time. 0 means
  /// a hundredth of all entries.
  std::uint64_t entriesPerPart = 0;
};

/// The result of a loop.
struct LoopSummary {
  std::uint64_t entries = 0;  ///< that the loop began with
  std::uint64_t accepted = 0; ///< that passed all filters
  bool isStopped = false;     ///< before the end: nothing was merged, and the output is unfinished
};

} // namespace kaon
