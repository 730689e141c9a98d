#pragma once

#include <kaon/base/Stop.h>

#include <nanobind/nanobind.h>

#include <atomic>
#include <concepts>
#include <csignal>

namespace kaon::python {
namespace interruption {

inline std::atomic<bool> wasInterrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free); // as signal handlers need

using Handler = void (*)(int);
inline Handler handlerOfPython = nullptr;

inline void noteInterruption(int signal) {
  wasInterrupted = true;
  handlerOfPython(signal);
}

/// Whether this is the main thread, and Ctrl-C would raise KeyboardInterrupt in it.
inline bool raisesOnInterruption() {
  const nanobind::module_ signals = nanobind::module_::import_("signal");
  const nanobind::module_ threads = nanobind::module_::import_("threading");
  return threads.attr("current_thread")().is(threads.attr("main_thread")()) &&
         signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"));
}

/// Notes interruptions during its lifetime, before Python's own handler runs.
class Noting {
public:
  Noting() {
    struct sigaction ours {};
    if (handlerOfPython || !raisesOnInterruption() || sigaction(SIGINT, nullptr, &m_former) != 0 ||
        (m_former.sa_flags & SA_SIGINFO) != 0 || m_former.sa_handler == SIG_DFL ||
        m_former.sa_handler == SIG_IGN)
      return;
    wasInterrupted = false;
    handlerOfPython = m_former.sa_handler;
    ours = m_former;
    ours.sa_handler = &noteInterruption;
    m_isActive = sigaction(SIGINT, &ours, nullptr) == 0;
    if (!m_isActive)
      handlerOfPython = nullptr;
  }
  ~Noting() {
    if (!m_isActive)
      return;
    sigaction(SIGINT, &m_former, nullptr);
    handlerOfPython = nullptr;
  }
  Noting(const Noting&) = delete;
  Noting& operator=(const Noting&) = delete;

  [[nodiscard]] const std::atomic<bool>* flag() const noexcept {
    return m_isActive ? &wasInterrupted : Stoppable::ofThread();
  }

private:
  struct sigaction m_former {};
  bool m_isActive = false;
};

} // namespace interruption

/// Runs work of C++ without the GIL. If this is the main thread, and Python raises
/// KeyboardInterrupt on Ctrl-C, then Ctrl-C stops the work within a page that is being compressed,
/// in all its threads, and raises. Needs the GIL.
inline void runInterruptibly(const std::invocable auto& work) {
  const interruption::Noting noting;
  try {
    const nanobind::gil_scoped_release release;
    const Stoppable stoppable(noting.flag());
    work();
  } catch (const Stopped&) {
    if (PyErr_CheckSignals() == 0)
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nanobind::python_error();
  }
}

} // namespace kaon::python
