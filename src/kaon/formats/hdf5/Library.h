#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

// libhdf5 as the rest of the folder uses it. Not every build of it is safe for threads: who calls
// it holds a LibraryLock.

namespace kaon::hdf5 {

/// The right to call libhdf5, for one thread at a time in the whole process; a thread may take it
/// again while it has it. What libhdf5 would print of its errors is not printed meanwhile.
class LibraryLock {
public:
  LibraryLock();
  ~LibraryLock();
  LibraryLock(const LibraryLock&) = delete;
  LibraryLock& operator=(const LibraryLock&) = delete;

private:
  std::unique_lock<std::recursive_mutex> m_lock;
};

/// An object of libhdf5's, be it a file, group, dataset, type or list of properties, which this one
/// owns. Closing it never waits: where another thread has the lock, that one closes it when it is
/// done. So objects can go while their thread holds what the other one may want, as Python's.
class Handle {
public:
  Handle() = default;
  explicit Handle(hid_t id) noexcept : m_id(id) {}
  Handle(Handle&& other) noexcept : m_id(std::exchange(other.m_id, none)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(m_id, other.m_id);
    return *this;
  }
  ~Handle() { close(); }
  void close() noexcept;

  [[nodiscard]] hid_t get() const noexcept { return m_id; }
  [[nodiscard]] bool isOpen() const noexcept { return m_id >= 0; }

private:
  static constexpr hid_t none = -1;
  hid_t m_id = none;
};

/// What libhdf5 says was wrong in its last call: the innermost reason, "" for nothing.
[[nodiscard]] std::string lastReason();

/// Throws what went wrong in libhdf5's last call: Error(corrupt), "WHERE: WHAT: libhdf5's reason".
[[noreturn]] void failReading(std::string_view where, std::string_view what);
/// The same as Error(io), for what is written.
[[noreturn]] void failWriting(std::string_view where, std::string_view what);

} // namespace kaon::hdf5
