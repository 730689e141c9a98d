#pragma once

#include <kaon/base/Progress.h>
#include <kaon/dataset/Action.h>

#include <memory>
#include <mutex>
#include <vector>

namespace kaon {

/// What was asked of a dataset and not computed yet. Any thread.
class Bookings {
public:
  void add(const std::shared_ptr<Action>& action);
  /// Those that someone still wants.
  [[nodiscard]] std::vector<std::shared_ptr<Action>> take();

private:
  std::mutex m_mutex;
  std::vector<std::weak_ptr<Action>> m_actions;
};

/// To be computed together with all others of its dataset.
void bookAction(const std::shared_ptr<Action>& action);

/// Computes actions on the same dataset in one pass, in the threads of the caller's arena. Their
/// results do not depend on the number of threads. Where something throws, no action has a result.
void run(const std::vector<std::shared_ptr<Action>>& actions, const Progress& progress);
/// The same of actions on any datasets, and of all others that were booked there: a pass for each
/// dataset.
void runBooked(const std::vector<std::shared_ptr<Action>>& actions, const Progress& progress = {});

} // namespace kaon
