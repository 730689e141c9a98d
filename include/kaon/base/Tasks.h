#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

// Long work: its progress, and work for several threads of oneTBB, which a process shares. Callers
// limit their number as usual, with tbb::task_arena and tbb::global_control; kaon starts no threads
// of its own. A process forked from one that used these threads does not have them: its calling
// thread does all the work.

namespace kaon {

namespace detail {
void forEach(std::size_t count, void* body, void (*call)(void* body, std::size_t i));
} // namespace detail

/// Returns the number of threads that work at the same time in the caller's arena, at least 1.
[[nodiscard]] std::size_t threads() noexcept;

/// Calls `body(i)` for each i < count, concurrently in the threads of the caller's arena, including
/// the calling one; returns when all are done. Calls begin in order. If a call throws, calls that
/// have not begun are dropped, and the first error is thrown again.
///
/// May be called in tasks. While the calling thread waits for others, it runs only these calls. It
/// may therefore hold a lock, but `body` must not take that lock.
template <class Body>
  requires std::invocable<Body&, std::size_t>
void forEach(std::size_t count, Body&& body) {
  using Type = std::remove_reference_t<Body>;
  detail::forEach(count, const_cast<void*>(static_cast<const void*>(std::addressof(body))),
                  [](void* called, std::size_t i) { std::invoke(*static_cast<Type*>(called), i); });
}

/// Work in the background, in threads of the arena in which the group was made. If that has only
/// one thread, the work may be left until wait(). Safe for concurrent use, except wait(), which is
/// for one thread at a time.
class TaskGroup {
public:
  TaskGroup();
  /// Drops work that has not begun and waits for the rest; errors are lost.
  ~TaskGroup();
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  /// Starts to call `work()` soon; it is moved or copied. A thread outside the arena may wait for a
  /// place in it.
  template <class Work>
    requires std::invocable<std::decay_t<Work>&>
  void run(Work&& work) {
    begin(std::make_unique<TaskOf<std::decay_t<Work>>>(std::forward<Work>(work)));
  }

  /// Takes part in this group's work, and no other, and returns when all is done. If some work
  /// threw, work that had not begun was dropped, and the first error is thrown again. The group can
  /// then be used again. May be called from any thread, but not from the group's own work.
  void wait();

private:
  struct Task {
    virtual ~Task() = default;
    virtual void run() = 0;
  };
  template <class Work>
  struct TaskOf final : Task {
    template <class From>
    explicit TaskOf(From&& from) : work(std::forward<From>(from)) {}
    void run() override { std::invoke(work); }
    Work work;
  };
  void begin(std::unique_ptr<Task> task);

  struct Group;
  std::unique_ptr<Group> m_group;
};

/// Called with the fraction done, 0 to 1, from any thread but never concurrently. An exception ends
/// the work and reaches the caller.
using Progress = std::function<void(double done)>;

} // namespace kaon
