#pragma once

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

namespace kaon::test {

/// Calls `isTrue` in a process forked from this one, which is killed if that takes long.
template <class Condition>
[[nodiscard]] testing::AssertionResult inFork(Condition isTrue) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr unsigned seconds = 20;
    ::alarm(seconds);
    bool is = false;
    try {
      is = isTrue();
    } catch (...) { // an exception must not leave a forked process
    }
    ::_exit(is ? 0 : 1);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child)
    return testing::AssertionFailure() << "there is no child";
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "the child ended with " << status;
}

} // namespace kaon::test
