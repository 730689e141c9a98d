#pragma once

#include <kaon/base/Forks.h>
#include <kaon/detail/dataset/Action.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace kaon::detail {

/// The booked actions of a dataset that are not computed yet. Thread-safe.
class Bookings {
public:
  void add(const std::shared_ptr<Action>& action);

  /// Returns the actions of a pass that computes `wanted`, together with all other booked actions
  /// that still exist. Returns nothing if `wanted` is done. Waits while another thread computes it.
  /// Throws Error(usage) if a function of that pass calls this, or if this process was forked while
  /// `wanted` was being computed.
  [[nodiscard]] std::vector<std::shared_ptr<Action>> begin(const std::shared_ptr<Action>& wanted);
  /// Ends a pass, successful or not.
  void end(const std::vector<std::shared_ptr<Action>>& actions);

private:
  struct Waiting {
    std::mutex mutex; // protects the following members, and Action::runningIn
    std::condition_variable ended;
  };
  OfProcess<Waiting> m_waiting;
  std::vector<std::weak_ptr<Action>> m_actions;
};

} // namespace kaon::detail
