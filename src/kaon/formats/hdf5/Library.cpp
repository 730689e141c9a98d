#include <kaon/formats/hdf5/Library.h>

#include <kaon/base/Error.h>

#include <cstdlib>
#include <vector>

namespace kaon::hdf5 {
namespace {

std::recursive_mutex library;

/// How often the current thread has taken the lock, and the error printer to restore.
struct Holding {
  int depth = 0;
  H5E_auto2_t printer = nullptr;
  void* printerData = nullptr;
};
Holding holding; // guarded by the lock

/// Objects that were dropped while another thread held the lock.
struct LeftOpen {
  std::mutex mutex; // guards `ids`
  std::vector<hid_t> ids;
};
LeftOpen leftOpen;

void closeLeftOpen() noexcept {
  std::vector<hid_t> ids;
  {
    const std::lock_guard lock(leftOpen.mutex);
    ids.swap(leftOpen.ids);
  }
  for (const hid_t id : ids)
    (void)H5Idec_ref(id);
}

/// libhdf5 loses memory over damaged files and reports this when the program ends, if printing is
/// on. This handler switches printing off before libhdf5's own exit handler runs.
void keepEndQuiet() {
  static const bool isRegistered = [] {
    (void)H5open();
    return std::atexit([] { (void)H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }) == 0;
  }();
  (void)isRegistered;
}

[[noreturn]] void failCall(ErrorKind kind, std::string_view where, std::string_view what) {
  const std::string reason = lastReason();
  fail(kind, where, ": ", what, reason.empty() ? "" : ": libhdf5 says: ", reason);
}

} // namespace

LibraryLock::LibraryLock() : m_lock(library) {
  if (holding.depth++ == 0) {
    keepEndQuiet();
    (void)H5Eget_auto2(H5E_DEFAULT, &holding.printer, &holding.printerData);
    (void)H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
}

LibraryLock::~LibraryLock() {
  if (holding.depth == 1) {
    closeLeftOpen();
    (void)H5Eset_auto2(H5E_DEFAULT, holding.printer, holding.printerData);
  }
  --holding.depth;
}

void Hdf5Handle::close() noexcept {
  if (m_id < 0)
    return;
  const hid_t id = std::exchange(m_id, none);
  if (const std::unique_lock lock(library, std::try_to_lock); lock.owns_lock()) {
    const LibraryLock whole;
    (void)H5Idec_ref(id);
  } else {
    const std::lock_guard waiting(leftOpen.mutex);
    leftOpen.ids.push_back(id);
  }
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
