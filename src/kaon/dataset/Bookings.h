#pragma once

#include <kaon/base/Forks.h>
#include <kaon/detail/dataset/Action.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace kaon::detail {

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

} // namespace kaon::detail
