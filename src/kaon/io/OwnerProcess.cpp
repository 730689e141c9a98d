#include <kaon/io/OwnerProcess.h>

#include <kaon/base/Error.h>

namespace kaon::io {

void OwnerProcess::failForked(const std::string& name) {
  fail(ErrorKind::usage, name,
       ": is written by the process that this one was forked from; open another file here");
}

} // namespace kaon::io
