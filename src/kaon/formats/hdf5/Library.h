#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

// libhdf5 as the rest of the folder uses it. Not every build of it is thread-safe, so each caller
// must hold a LibraryLock.

namespace kaon::hdf5 {

/// The right to call libhdf5, for one thread of the process at a time. A thread may take it again
/// while it holds it. libhdf5 prints no errors meanwhile.
class LibraryLock {
public:
  LibraryLock();
  ~LibraryLock();
  LibraryLock(const LibraryLock&) = delete;
  LibraryLock& operator=(const LibraryLock&) = delete;

private:
  std::unique_lock<std::recursive_mutex> m_lock;
};

/// Owns an object of libhdf5: a file, group, dataset, type or list of properties. Closing it never
/// waits. If another thread holds the lock, that thread closes the object when it releases the
/// lock. A thread can thus drop objects while it holds another lock, such as Python's.
class Hdf5Handle {
public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) noexcept : m_id(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : m_id(std::exchange(other.m_id, none)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(m_id, other.m_id);
    return *this;
  }
  ~Hdf5Handle() { close(); }
  void close() noexcept;

  [[nodiscard]] hid_t get() const noexcept { return m_id; }
  [[nodiscard]] bool isOpen() const noexcept { return m_id >= 0; }

private:
  static constexpr hid_t none = -1;
  hid_t m_id = none;
};

/// Returns the innermost reason for the failure of libhdf5's last call, or "".
[[nodiscard]] std::string lastReason();

/// Throws Error(corrupt) for the failure of libhdf5's last call: "WHERE: WHAT: libhdf5's reason".
[[noreturn]] void failReading(std::string_view where, std::string_view what);
/// Like failReading(), but throws Error(io) for failures of writing.
[[noreturn]] void failWriting(std::string_view where, std::string_view what);

} // namespace kaon::hdf5
