#pragma once

#include <kaon/base/Error.h>

#include <string>
#include <unistd.h>

namespace kaon::io {

/// The process that opened a file to write. One that was forked from it shares the place in the
/// file: what it wrote would lie in the midst of the other's bytes.
class OwnerProcess {
public:
  /// Throws Error(usage) in a forked process; `name` is the file's.
  void check(const std::string& name) const {
    if (::getpid() != m_process)
      fail(ErrorKind::usage, name,
           ": is written by the process that this one was forked from; open another file here");
  }

private:
  ::pid_t m_process = ::getpid();
};

} // namespace kaon::io
