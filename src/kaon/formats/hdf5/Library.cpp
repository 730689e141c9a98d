#include <kaon/formats/hdf5/Library.h>

#include <kaon/base/Error.h>

namespace kaon::hdf5 {
namespace {

std::recursive_mutex library;

/// How often the thread that holds the lock has it, and who prints errors when nobody does.
struct Holding {
  int depth = 0;
  H5E_auto2_t printer = nullptr;
  void* printerData = nullptr;
};
Holding holding; // under the lock

[[noreturn]] void failCall(ErrorKind kind, std::string_view where, std::string_view what) {
  const std::string reason = lastReason();
  fail(kind, where, ": ", what, reason.empty() ? "" : ": libhdf5 says: ", reason);
}

} // namespace

LibraryLock::LibraryLock() : m_lock(library) {
  if (holding.depth++ == 0) {
    (void)H5Eget_auto2(H5E_DEFAULT, &holding.printer, &holding.printerData);
    (void)H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
}

LibraryLock::~LibraryLock() {
  if (--holding.depth == 0)
    (void)H5Eset_auto2(H5E_DEFAULT, holding.printer, holding.printerData);
}

void Handle::close() noexcept {
  if (m_id < 0)
    return;
  const LibraryLock lock;
  (void)H5Idec_ref(std::exchange(m_id, none));
}

std::string lastReason() {
  std::string reason;
  (void)H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned number, const H5E_error2_t* error, void* data) -> herr_t {
        if (number == 0 && error->desc)
          *static_cast<std::string*>(data) = error->desc;
        return 0;
      },
      &reason);
  return reason;
}

void failReading(std::string_view where, std::string_view what) {
  failCall(ErrorKind::corrupt, where, what);
}

void failWriting(std::string_view where, std::string_view what) {
  failCall(ErrorKind::io, where, what);
}

} // namespace kaon::hdf5
