#include <kaon/detail/dataset/Run.h>

#include <kaon/base/Error.h>
#include <kaon/base/Forks.h>
#include <kaon/base/Tasks.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/dataset/Bookings.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/Pipeline.h>
#include <kaon/dataset/TagFilter.h>
#include <kaon/dataset/ThreadProgress.h>
#include <kaon/selecting/LeftOutColumns.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace kaon::detail {
namespace {

using Results = std::vector<std::unique_ptr<Accumulator>>;

/// Merges the results of parts in the order of the parts, although they finish in any order. Sums
/// of floats are therefore identical for any number of threads. Thread-safe.
class OrderedMerge {
public:
  /// Adds the results of a part. Returns false if no result needs further parts.
  [[nodiscard]] bool add(std::size_t part, Results results) {
    const std::lock_guard lock(m_mutex);
    m_waiting.emplace(part, std::move(results));
    while (!m_waiting.empty() && m_waiting.begin()->first == m_next) {
      Results next = std::move(m_waiting.begin()->second);
      m_waiting.erase(m_waiting.begin()); // if merge() throws, no other thread tries again
      merge(next);
      ++m_next;
    }
    return m_all.empty() ||
           !std::ranges::all_of(m_all, [](const auto& all) { return all->isFull(); });
  }
  [[nodiscard]] Results take() { return std::move(m_all); }

private:
  void merge(Results& next) {
    for (const auto& results : next)
      results->commit();
    if (m_next == 0) {
      m_all = std::move(next);
      return;
    }
    for (std::size_t i = 0; i < m_all.size(); ++i)
      m_all[i]->merge(*next[i]);
  }

  std::mutex m_mutex; // protects the following members
  std::map<std::size_t, Results> m_waiting;
  std::size_t m_next = 0;
  Results m_all;
};

} // namespace

void Bookings::add(const std::shared_ptr<Action>& action) {
  const std::lock_guard lock(m_waiting.get().mutex);
  m_actions.emplace_back(action);
}

namespace {

/// The bookings whose functions this thread is calling.
thread_local const Bookings* bookingsOfPass = nullptr;

} // namespace

std::vector<std::shared_ptr<Action>> Bookings::begin(const std::shared_ptr<Action>& wanted) {
  Waiting& waiting = m_waiting.get();
  std::unique_lock lock(waiting.mutex);
  if (wanted->runningIn && *wanted->runningIn != forks())
    fail(ErrorKind::usage,
         "another thread was computing this result when the process was forked, so it never "
         "finishes here; use the result before forking, or ask the dataframe for it again");
  if (wanted->runningIn && bookingsOfPass == this)
    fail(ErrorKind::usage, "a function uses a result of the same pass that calls the function; "
                           "compute that result before the pass");
  waiting.ended.wait(lock, [&] { return !wanted->runningIn; });
  if (wanted->isDone)
    return {};
  std::vector<std::shared_ptr<Action>> actions;
  for (const std::weak_ptr<Action>& booked : std::exchange(m_actions, {}))
    if (std::shared_ptr<Action> action = booked.lock(); action && !action->isDone)
      actions.push_back(std::move(action));
  if (std::ranges::find(actions, wanted) == actions.end()) // An earlier pass failed.
    actions.push_back(wanted);
  for (const std::shared_ptr<Action>& action : actions)
    action->runningIn = forks();
  return actions;
}

void Bookings::end(const std::vector<std::shared_ptr<Action>>& actions) {
  Waiting& waiting = m_waiting.get();
  const std::lock_guard lock(waiting.mutex);
  for (const std::shared_ptr<Action>& action : actions)
    action->runningIn.reset();
  waiting.ended.notify_all();
}

void bookAction(const std::shared_ptr<Action>& action) {
  beginningOf(*action->node).bookings->add(action);
}

namespace {

/// Sets a value during its lifetime, then restores the old value.
template <class T>
class ScopedValue {
public:
  ScopedValue(T& value, T now) : m_value(value), m_before(std::exchange(value, now)) {}
  ScopedValue(const ScopedValue&) = delete;
  ScopedValue& operator=(const ScopedValue&) = delete;
  ~ScopedValue() { m_value = m_before; }

private:
  T& m_value;
  T m_before;
};

/// Gathers nothing: for pipelines that only look for columns.
class NoAction final : public Action {
public:
  [[nodiscard]] std::unique_ptr<Accumulator> accumulator() const override { return nullptr; }
  void finish(std::unique_ptr<Accumulator> /*all*/) override {}
};

/// Returns what finds out whether a file has all that actions read, if bad files are left out.
std::function<void(const Source&)> checkOf(const Dataset& dataset,
                                           const std::vector<std::shared_ptr<Action>>& actions) {
  if (dataset.onBadFile() == OnBadFile::raise)
    return {}; // reading the file finds out
  return [pipeline = std::make_shared<Pipeline>(actions)](const Source& source) {
    pipeline->check(source);
  };
}

/// Processes all parts of a dataset in all threads.
Results runPass(const std::vector<std::shared_ptr<Action>>& actions, const Progress& progress) {
  const Dataset& dataset = *beginningOf(*actions.front()->node).dataset;
  DatasetParts parts(dataset, checkOf(dataset, actions));
  OrderedMerge merged;
  std::atomic<bool> stop = false;
  std::atomic<bool> hasFailed = false;
  std::mutex telling;
  const Bookings* const bookings = beginningOf(*actions.front()->node).bookings.get();
  const auto work = [&](std::size_t) {
    const ScopedValue outer(bookingsOfPass, bookings);
    try {
      std::optional<DatasetPart> part = parts.next();
      if (!part)
        return;
      TagFilter tags(actions);
      Pipeline pipeline(actions);
      ThreadProgress threadProgress(progress, parts, telling, stop);
      for (; part && !stop; part = parts.next()) {
        const std::size_t number = part->number;
        pipeline.run(tags.narrow(*std::move(part)));
        if (!merged.add(number, pipeline.takeResults()))
          stop = true;
        threadProgress.tell();
      }
    } catch (const PassEnded&) { // no result needs further parts
    } catch (...) {
      stop = true;
      if (hasFailed.exchange(true)) // Other threads that waited for the failed part throw, too.
        return;
      for (const std::shared_ptr<Action>& action : actions)
        action->interrupt();
      throw;
    }
  };
  kaon::forEach(threads(), work);
  return merged.take();
}

/// Calls finish() once for each function of the steps above the actions.
void finishFunctions(const std::vector<std::shared_ptr<Action>>& actions) {
  std::set<const DataframeNode*> finished;
  for (const std::shared_ptr<Action>& action : actions)
    for (const DataframeNode* step = action->node.get(); step && finished.insert(step).second;
         step = step->above.get())
      if (step->formula.function)
        step->formula.function->finish();
}

void abandon(const std::vector<std::shared_ptr<Action>>& actions) noexcept {
  for (const std::shared_ptr<Action>& action : actions)
    if (!action->isDone)
      action->abandon();
}

/// Whether some action leaves out columns that it can do without.
bool leaveOut(const std::vector<std::shared_ptr<Action>>& actions, const UnreadableColumns& error) {
  bool isLess = false;
  for (const std::shared_ptr<Action>& action : actions)
    isLess |= action->leaveOut(error);
  return isLess;
}

/// Computes actions on the same dataset in one pass, or in another one without unreadable columns.
void run(const std::vector<std::shared_ptr<Action>>& actions, const Progress& progress) {
  for (;;)
    try {
      Results results = runPass(actions, progress);
      finishFunctions(actions);
      for (std::size_t i = 0; i < actions.size(); ++i) {
        actions[i]->finish(results.empty() ? actions[i]->accumulator() : std::move(results[i]));
        actions[i]->isDone = true;
      }
      return;
    } catch (const UnreadableColumns& error) {
      abandon(actions);
      if (!leaveOut(actions, error))
        throw;
      warnOfLeftOut(error);
    } catch (...) {
      abandon(actions);
      throw;
    }
}

} // namespace

void leaveOutFilesWithout(const std::vector<ColumnArgument>& arguments,
                          const std::shared_ptr<const DataframeNode>& node) {
  const Dataset& dataset = *beginningOf(*node).dataset;
  const auto action = std::make_shared<NoAction>();
  action->node = node;
  action->arguments = arguments;
  const auto check = checkOf(dataset, {action});
  for (std::size_t number = 0; check && number < dataset.files(); ++number)
    (void)dataset.isGood(number, dataset.open(number)->category(dataset.category()), check);
}

void runBooked(const std::vector<std::shared_ptr<Action>>& actions, const Progress& progress) {
  for (const std::shared_ptr<Action>& wanted : actions) {
    Bookings& bookings = *beginningOf(*wanted->node).bookings;
    const std::vector<std::shared_ptr<Action>> all = bookings.begin(wanted);
    if (all.empty())
      continue;
    try {
      run(all, progress);
    } catch (...) {
      bookings.end(all);
      throw;
    }
    bookings.end(all);
  }
}

} // namespace kaon::detail
