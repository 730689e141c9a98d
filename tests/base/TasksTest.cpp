#include <kaon/base/Tasks.h>

#include "support/Errors.h"
#include "support/Fork.h"

#include <gtest/gtest.h>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

// Each test must also pass in an arena of one thread, which cannot wait for others. TSan detects
// races.

namespace kaon {
namespace {

using test::expectError;

TEST(Tasks, forEachCallsEachOnce) {
  for (const std::size_t count : {0U, 1U, 7U, 10'000U}) {
    std::vector<int> calls(count, 0);
    forEach(count, [&](std::size_t i) { ++calls[i]; });
    EXPECT_EQ(calls, std::vector<int>(count, 1));
  }
}

TEST(Tasks, forEachDoesNotCopyItsFunction) {
  struct Sum {
    void operator()(std::size_t i) { total += i; }
    std::atomic<std::size_t> total = 0; // cannot be copied
  } sum;
  forEach(101, sum);
  EXPECT_EQ(sum.total, 5050U);
  std::atomic<std::size_t> calls = 0;
  const auto count = [&](std::size_t) { ++calls; };
  forEach(10, count);
  EXPECT_EQ(calls, 10U);
}

TEST(Tasks, forEachThrowsTheErrorOfACall) {
  std::atomic<std::size_t> calls = 0;
  for (int i = 0; i < 100; ++i)
    expectError(ErrorKind::corrupt, "number 17", [&] {
      forEach(1000, [&](std::size_t k) {
        ++calls;
        if (k == 17)
          fail(ErrorKind::corrupt, "number 17");
      });
    });
  EXPECT_GE(calls, 100U);
}

// The two tasks wait for each other, which a single thread could not do.
TEST(Tasks, forEachUsesTheThreadsOfTheCallersArena) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_arena arena(2);
  arena.execute([] {
    EXPECT_EQ(threads(), 2U);
    std::latch both(2);
    forEach(2, [&](std::size_t) { both.arrive_and_wait(); });
  });
}

TEST(Tasks, anArenaOfOneThreadIsEnough) {
  tbb::task_arena arena(1);
  arena.execute([] {
    EXPECT_EQ(threads(), 1U);
    const auto self = std::this_thread::get_id();
    forEach(100, [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), self); });
  });
}

TEST(Tasks, threadsAreNoMoreThanTheProgramAllows) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 1);
  EXPECT_EQ(threads(), 1U);
}

TEST(Tasks, forEachBeginsInOrder) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_arena arena(2);
  arena.execute([] {
    std::latch both(2);
    std::mutex mutex;
    std::set<std::size_t> first;
    forEach(100, [&](std::size_t i) {
      {
        const std::lock_guard lock(mutex);
        if (first.size() == 2)
          return;
        first.insert(i);
      }
      both.arrive_and_wait();
    });
    EXPECT_EQ(first, (std::set<std::size_t>{0, 1}));
  });
}

// oneTBB's threads are missing in the child, so it must not wait for them.
TEST(Tasks, forEachMayBeCalledInAForkedProcess) {
  std::atomic<int> calls = 0;
  forEach(100, [&](std::size_t) { ++calls; });
  EXPECT_TRUE(test::inFork([&] {
    calls = 0;
    forEach(100, [&](std::size_t) { ++calls; });
    return calls == 100 && threads() == 1;
  }));
}

TEST(Tasks, groupsDoTheirWorkInAForkedProcess) {
  forEach(100, [](std::size_t) {});
  EXPECT_TRUE(test::inFork([] {
    int calls = 0;
    TaskGroup group;
    for (int i = 0; i < 10; ++i)
      group.run([&] { ++calls; });
    group.wait();
    group.run([] { throw std::runtime_error("of the child"); });
    try {
      group.wait();
    } catch (const std::runtime_error&) {
      group.wait(); // an error is reported only once
      return calls == 10;
    }
    return false;
  }));
}

// In the child, the running task never ends.
TEST(Tasks, forkedProcessDropsAGroupWithoutWaitingForIt) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_arena arena(2, 0); // the thread below uses the other one
  std::latch begun(1), mayEnd(1);
  auto group = arena.execute([] { return std::make_unique<TaskGroup>(); });
  group->run([&] {
    begun.count_down();
    mayEnd.wait();
  });
  begun.wait();
  EXPECT_TRUE(test::inFork([&] {
    group->wait();
    group.reset();
    return true;
  }));
  mayEnd.count_down();
  group->wait();
}

TEST(Tasks, forEachMayBeCalledInTasks) {
  std::mutex mutex;
  std::set<std::thread::id> used;
  std::atomic<std::size_t> calls = 0;
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 3);
  tbb::task_arena arena(3);
  arena.execute([&] {
    forEach(20, [&](std::size_t) {
      forEach(20, [&](std::size_t) {
        forEach(20, [&](std::size_t) { ++calls; });
        const std::scoped_lock lock(mutex);
        used.insert(std::this_thread::get_id());
      });
    });
  });
  EXPECT_EQ(calls, 8000U);
  EXPECT_LE(used.size(), 3U);
}

// Otherwise a thread that holds a lock could run a task that needs this lock. forEach() lasts 20 ms
// longer, so that its thread could take the task of `other`.
TEST(Tasks, threadThatWaitsInForEachTakesOnNoOtherWork) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(3, 2);
  std::latch begun(3);
  std::latch end(1);
  std::thread::id waiting;
  std::thread::id taken;
  std::thread other([&] {
    arena.execute([&] {
      begun.arrive_and_wait();
      TaskGroup group;
      group.run([&] { taken = std::this_thread::get_id(); });
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      end.count_down();
      group.wait();
    });
  });
  arena.execute([&] {
    waiting = std::this_thread::get_id();
    forEach(2, [&](std::size_t) {
      begun.arrive_and_wait();
      if (std::this_thread::get_id() != waiting)
        end.wait();
    });
  });
  other.join();
  EXPECT_NE(taken, waiting);
}

TEST(Tasks, groupDoesAllThatItIsGiven) {
  std::vector<int> done(1000, 0);
  TaskGroup group;
  for (int round = 1; round <= 2; ++round) {
    for (int& one : done)
      group.run([&one] { ++one; });
    group.wait();
    EXPECT_EQ(done, std::vector<int>(done.size(), round));
  }
  group.wait();
}

TEST(Tasks, groupTakesFunctionsThatCannotBeCopied) {
  std::atomic<int> sum = 0;
  TaskGroup group;
  for (int i = 1; i <= 10; ++i)
    group.run(
        [&sum, number = std::make_unique<int>(i)]() mutable { sum += *std::exchange(number, {}); });
  group.wait();
  EXPECT_EQ(sum, 55);
}

TEST(Tasks, groupThrowsTheErrorOfItsWorkAndCanBeUsedAgain) {
  TaskGroup group;
  std::atomic<int> calls = 0;
  for (int i = 0; i < 100; ++i) {
    group.run([] { fail(ErrorKind::corrupt, "this one"); });
    expectError(ErrorKind::corrupt, "this one", [&] { group.wait(); });
    group.run([&] { ++calls; });
    group.wait();
  }
  EXPECT_EQ(calls, 100);
}

TEST(Tasks, groupThatGoesWaitsForItsWork) {
  for (int i = 0; i < 100; ++i) {
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    {
      TaskGroup group;
      group.run([] { fail(ErrorKind::corrupt, "nobody hears it"); });
      for (int k = 0; k < 100; ++k)
        group.run([&] {
          ++begun;
          std::this_thread::yield();
          ++ended;
        });
    }
    EXPECT_EQ(begun, ended);
  }
}

TEST(Tasks, groupMayGiveItselfWork) {
  std::atomic<int> calls = 0;
  TaskGroup group;
  group.run([&] {
    for (int i = 0; i < 10; ++i)
      group.run([&] { forEach(10, [&](std::size_t) { ++calls; }); });
  });
  group.wait();
  EXPECT_EQ(calls, 100);
}

// A reader does this: it fetches in the background, and the tasks that decode wait.
TEST(Tasks, groupMayBeWaitedForInOtherTasks) {
  for (const int size : {1, 2}) {
    tbb::task_arena arena(size);
    arena.execute([] {
      for (int i = 0; i < 100; ++i) {
        std::atomic<bool> done = false;
        TaskGroup group;
        group.run([&] { done = true; });
        forEach(1, [&](std::size_t) {
          group.wait();
          EXPECT_TRUE(done);
        });
      }
    });
  }
}

// The group's thread has ended, and no other thread works.
TEST(Tasks, groupMayBeWaitedForFromAnotherThread) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 1);
  for (int i = 0; i < 20; ++i) {
    bool done = false;
    std::unique_ptr<TaskGroup> group;
    std::thread([&] {
      group = std::make_unique<TaskGroup>();
      group->run([&] { done = true; });
    }).join();
    group->wait();
    EXPECT_TRUE(done);
  }
}

// The group's thread still lives but does not wait for the group.
TEST(Tasks, groupMayGoInAnotherThread) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 1);
  for (int i = 0; i < 20; ++i) {
    auto group = std::make_unique<TaskGroup>();
    group->run([] {});
    std::thread([&] { group.reset(); }).join();
  }
}

// The task that used the group first has failed, but the group still works.
TEST(Tasks, groupOutlivesTheTaskThatUsedItFirst) {
  tbb::task_arena arena(1);
  std::atomic<int> calls = 0;
  arena.execute([&] {
    for (int i = 0; i < 100; ++i) {
      TaskGroup group;
      expectError(ErrorKind::corrupt, "this one", [&] {
        forEach(1, [&](std::size_t) {
          group.run([&] { ++calls; });
          fail(ErrorKind::corrupt, "this one");
        });
      });
      group.run([&] { ++calls; });
      group.wait();
    }
  });
  EXPECT_EQ(calls, 200);
}

} // namespace
} // namespace kaon
