#include <kaon/base/Warning.h>

#include <kaon/base/Lasting.h>
#include <kaon/base/Wording.h>

#include <iostream>
#include <mutex>
#include <utility>

namespace kaon {
namespace {

struct Current {
  std::mutex mutex;
  WarningHandler handler = [](WarningKind /*kind*/, std::string_view message) {
    std::cerr << "kaon: warning: " << message << '\n';
  };
};

Current& current() {
  static Lasting<Current> only;
  return *only;
}

} // namespace

void setWarningHandler(WarningHandler handler) {
  const std::lock_guard lock(current().mutex);
  current().handler = std::move(handler);
}

void warn(WarningKind kind, const std::string& message) {
  WarningHandler handler;
  {
    const std::lock_guard lock(current().mutex);
    handler = current().handler;
  }
  if (handler)
    handler(kind, escapeControls(message));
}

} // namespace kaon
