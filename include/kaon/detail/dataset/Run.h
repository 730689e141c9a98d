#pragma once

#include <kaon/base/Progress.h>
#include <kaon/detail/dataset/Action.h>

#include <memory>
#include <vector>

namespace kaon::detail {

/// To be computed together with all others of its dataset.
void bookAction(const std::shared_ptr<Action>& action);

/// Computes actions and all others that were booked on their datasets: a pass for each dataset, in
/// the threads of the caller's arena. Results do not depend on the number of threads. Where
/// something throws, no action of the pass has a result. Any thread: what another one is computing
/// is waited for.
void runBooked(const std::vector<std::shared_ptr<Action>>& actions, const Progress& progress = {});

} // namespace kaon::detail
