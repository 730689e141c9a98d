#pragma once

#include <kaon/base/Error.h>
#include <kaon/io/ByteSink.h>

namespace kaon::io {

/// The state of a file that is useless unless complete: nothing can be written after an error, or
/// after it is finished or abandoned. The sink must outlive it. For one thread at a time.
class WholeFile {
public:
  explicit WholeFile(ByteSink& sink) noexcept : m_sink(&sink) {}

  /// Throws Error(usage) if nothing can be written any more.
  void checkOpen() const {
    if (!m_isOpen)
      fail(ErrorKind::usage, m_sink->name(), ": is finished, or failed; nothing can be written");
  }
  /// As checkOpen(), then runs `write`; if that throws, abandons the file.
  void attempt(const auto& write) {
    checkOpen();
    try {
      write();
    } catch (...) {
      abandon();
      throw;
    }
  }
  /// As attempt(), for the last write, which also finishes the sink.
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
