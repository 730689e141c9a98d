#pragma once

#include <kaon/base/Forks.h>
#include <kaon/base/Progress.h>
#include <kaon/dataset/Action.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace kaon {

/// What was asked of a dataset and not computed yet. Any thread.
class Bookings {
public:
  void add(const std::shared_ptr<Action>& action);

  /// The actions of a pass that computes one, together with all others that someone still wants;
  /// nothing if it is done. Waits where another thread is computing it. Throws Error(usage) in a
  /// function that is called by that very pass, and in a process that was forked while it was
  /// computed.
  [[nodiscard]] std::vector<std::shared_ptr<Action>> begin(const std::shared_ptr<Action>& wanted);
  /// The pass is over, whether they are done or not.
  void end(const std::vector<std::shared_ptr<Action>>& actions);

private:
  struct Waiting {
    std::mutex mutex; // of all that follows, and of what actions say of being computed
    std::condition_variable ended;
  };
  OfProcess<Waiting> m_waiting;
  std::vector<std::weak_ptr<Action>> m_actions;
};

/// To be computed together with all others of its dataset.
void bookAction(const std::shared_ptr<Action>& action);

/// Computes actions and all others that were booked on their datasets: a pass for each dataset, in
/// the threads of the caller's arena. Results do not depend on the number of threads. Where
/// something throws, no action of the pass has a result. Any thread: what another one is computing
/// is waited for.
void runBooked(const std::vector<std::shared_ptr<Action>>& actions, const Progress& progress = {});

} // namespace kaon
