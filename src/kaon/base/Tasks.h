#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

// Work for several threads: those of oneTBB, which a process shares. A caller says how many by the
// usual means, tbb::task_arena and tbb::global_control; kaon starts none of its own. A process that
// was forked from one that used them has none of them: there the calling thread does all the work.

namespace kaon {

namespace detail {
void forEach(std::size_t count, void* body, void (*call)(void* body, std::size_t i));
} // namespace detail

/// How many threads work at the same time in the caller's arena, at least 1.
[[nodiscard]] std::size_t threads() noexcept;

/// Calls `body(i)` for each i < count, at the same time in the threads of the caller's arena, the
/// calling one among them; returns when all is done. They begin in order. Where one throws, those
/// that have not begun are dropped and the first error is thrown again.
///
/// May be called in tasks. While the calling thread waits for others it takes on no work but these
/// calls, so that it may hold a lock, which `body` itself must not want then.
template <class Body>
  requires std::invocable<Body&, std::size_t>
void forEach(std::size_t count, Body&& body) {
  using Type = std::remove_reference_t<Body>;
  detail::forEach(count, const_cast<void*>(static_cast<const void*>(std::addressof(body))),
                  [](void* called, std::size_t i) { std::invoke(*static_cast<Type*>(called), i); });
}

/// Work in the background, in threads of the arena in which the group was made. Where that has only
/// one thread, the work may be left until wait(). Safe for concurrent use but for wait(), which is
/// for one thread at a time.
class TaskGroup {
public:
  TaskGroup();
  /// Drops what has not begun and waits for the rest; their errors are lost.
  ~TaskGroup();
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  /// Begins to call `work()`, which is moved or copied, soon. From a thread outside the arena this
  /// may wait for a place in it.
  template <class Work>
    requires std::invocable<std::decay_t<Work>&>
  void run(Work&& work) {
    begin(std::make_unique<TaskOf<std::decay_t<Work>>>(std::forward<Work>(work)));
  }

  /// Returns when all is done, having taken part in this group's work and no other. Where some of
  /// it threw, what had not begun was dropped and the first error is thrown again; the group can
  /// be used again after that. May be called from any thread, not from the group's own work.
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

} // namespace kaon
