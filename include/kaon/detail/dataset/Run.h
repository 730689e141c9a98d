#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/detail/dataset/Action.h>

#include <memory>
#include <vector>

namespace kaon::detail {

/// Adds an action to the next pass over its dataset.
void bookAction(const std::shared_ptr<Action>& action);

/// Opens all files of a dataset that leaves bad files out, and looks for the columns that a node's
/// steps and some arguments read. Files without them are then known as bad before a pass.
void leaveOutFilesWithout(const std::vector<ColumnArgument>& arguments,
                          const std::shared_ptr<const DataframeNode>& node);

/// Computes these actions and all other booked actions of their datasets: one pass for each
/// dataset, in the threads of the caller's arena. Results do not depend on the number of threads.
/// If anything throws, no action of the pass has a result. Thread-safe: waits for actions that
/// another thread is computing.
void runBooked(const std::vector<std::shared_ptr<Action>>& actions, const Progress& progress = {});

} // namespace kaon::detail
