#include <kaon/base/Tasks.h>

#include <kaon/base/Forks.h>
#include <kaon/base/Stop.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#define TBB_PREVIEW_ISOLATED_TASK_GROUP 1
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#ifdef KAON_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace kaon {
namespace {

/// Tells ThreadSanitizer the guarantees of oneTBB: work sees everything done before it was
/// submitted, and its waiters see everything that it did. TSan follows only code compiled with it,
/// which a system's libtbb is not. This file is not either (src/CMakeLists.txt), so that TSan does
/// not take partial information for races.
class Order {
public:
  void give() noexcept { release(m_given); }
  void begin() noexcept { acquire(m_given); }
  void end() noexcept { release(m_done); }
  void waited() noexcept { acquire(m_done); }

private:
#ifdef KAON_TSAN
  static void release(char& event) noexcept { __tsan_release(&event); }
  static void acquire(char& event) noexcept { __tsan_acquire(&event); }
#else
  static void release(char& /*event*/) noexcept {}
  static void acquire(char& /*event*/) noexcept {}
#endif
  char m_given = 0;
  char m_done = 0;
};

/// Marks work of a thread from begin() to end(), even if it throws.
class Working {
public:
  explicit Working(Order& order) noexcept : m_order(order) { m_order.begin(); }
  ~Working() { m_order.end(); }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

private:
  Order& m_order;
};

/// Calls waited() when a thread has waited for work, even if it throws.
class Waiting {
public:
  explicit Waiting(Order& order) noexcept : m_order(order) {}
  ~Waiting() { m_order.waited(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

private:
  Order& m_order;
};

/// Whether the process was forked from one that had given oneTBB work: its threads do not exist
/// here, and waiting for their work would never end.
bool isForked() noexcept {
  static const std::uint64_t owner = forks();
  return forks() != owner;
}

} // namespace

std::size_t threads() noexcept {
  if (isForked())
    return 1;
  const auto allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  const auto inArena = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  return std::max<std::size_t>(1, std::min(allowed, inArena));
}

void detail::forEach(std::size_t count, void* body, void (*call)(void* body, std::size_t i)) {
  if (isForked()) {
    for (std::size_t i = 0; i < count; ++i)
      call(body, i);
    return;
  }
  Order order;
  order.give();
  const Waiting waiting(order);
  // Each thread takes the next call, because written parts wait for those before them.
  std::atomic<std::size_t> next = 0;
  const auto work = [&, stop = Stoppable::ofThread()](std::size_t /*thread*/) {
    const Working working(order);
    const Stoppable stoppable(stop);
    while (!tbb::is_current_task_group_canceling()) {
      const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= count)
        return;
      call(body, i);
    }
  };
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(std::size_t{0}, std::min(count, threads()), work, tbb::simple_partitioner());
  });
}

struct TaskGroup::Group {
  /// The objects of oneTBB.
  struct Tasks {
    ~Tasks() {
      group.cancel();
      try {
        wait();
      } catch (...) { // a destructor cannot report errors
      }
    }
    void wait() {
      const Waiting waiting(order);
      arena.execute([&] { group.wait(); });
    }

    Order order;
    // The arena of the thread that made the group: any thread can wait in it, wherever it comes
    // from. The context is separate from that of the task that first uses the group, because that
    // may end or fail earlier.
    tbb::task_arena arena{tbb::task_arena::attach{}};
    tbb::task_group_context context{tbb::task_group_context::isolated};
    tbb::isolated_task_group group{context};
  };

  /// A task as oneTBB stores it. Its destruction is work, too: it may be in any thread.
  struct Job {
    Job(std::unique_ptr<Task> given, Order& inOrder) : task(std::move(given)), order(inOrder) {}
    Job(Job&&) = default;
    ~Job() {
      const Working working(order);
      task.reset();
    }
    void operator()() const {
      const Working working(order);
      const Stoppable stoppable(stop);
      task->run();
    }
    std::unique_ptr<Task> task;
    Order& order;
    const std::atomic<bool>* stop = Stoppable::ofThread();
  };

  OfProcess<Tasks> tasks; // a forked process does not wait for tasks of the other one
};

TaskGroup::TaskGroup() : m_group(std::make_unique<Group>()) {}

TaskGroup::~TaskGroup() = default;

void TaskGroup::begin(std::unique_ptr<Task> task) {
  Group::Tasks& tasks = m_group->tasks.get();
  tasks.order.give();
  tasks.arena.execute([&] { tasks.group.run(Group::Job(std::move(task), tasks.order)); });
}

void TaskGroup::wait() { m_group->tasks.get().wait(); }

} // namespace kaon
