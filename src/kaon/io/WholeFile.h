#pragma once

#include <kaon/base/Error.h>
#include <kaon/io/ByteSink.h>

namespace kaon::io {

/// Of a file whose halves are of no use: once writing something failed, or the file is finished or
/// given up, nothing can follow. The sink must outlive it. For one thread at a time.
class WholeFile {
public:
  explicit WholeFile(ByteSink& sink) noexcept : m_sink(&sink) {}

  /// Throws Error(usage) if nothing can be written any more.
  void checkOpen() const {
    if (!m_isOpen)
      fail(ErrorKind::usage, m_sink->name(), ": is finished, or failed; nothing can be written");
  }
  /// The same, and runs what writes; if that throws, the file is given up.
  void attempt(const auto& write) {
    checkOpen();
    try {
      write();
    } catch (...) {
      abandon();
      throw;
    }
  }
  /// The same of what is written last and finishes the sink.
  void finish(const auto& write) {
    attempt(write);
    m_isOpen = false;
  }
  void abandon() noexcept {
    m_isOpen = false;
    m_sink->abandon();
  }

private:
  ByteSink* m_sink;
  bool m_isOpen = true;
};

} // namespace kaon::io
