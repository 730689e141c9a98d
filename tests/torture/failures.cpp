#include "failures.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <initializer_list>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

// The program's own definitions of these functions, which kaon and all libraries call.

namespace kaon::torture {
namespace {

using Ways = std::initializer_list<int>;

constexpr std::uint8_t none = 2;
constinit std::atomic<std::uint8_t> counted = none;
constinit std::atomic<std::uint64_t> calls = 0;
constinit std::atomic<std::uint64_t> failing = 0;
constinit std::atomic<std::size_t> wayOfFailing = 0;
constinit FailedCall failedCall; // written by the thread of the one call that fails

constinit thread_local bool isExempt = false;

/// Counts a call. Returns how it fails; 0 if it does not.
[[nodiscard]] int failureOf(Failing kind, const char* call, Ways ways) noexcept {
  if (isExempt || counted.load() != static_cast<std::uint8_t>(kind) ||
      calls.fetch_add(1) + 1 != failing.load())
    return 0;
  const int error = ways.begin()[wayOfFailing.load() % ways.size()];
  failedCall = {call, ways.size(), error};
  return error;
}

[[nodiscard]] bool lacksMemory(const char* call) noexcept {
  if (failureOf(Failing::allocations, call, {ENOMEM}) == 0)
    return false;
  errno = ENOMEM;
  return true;
}

/// Calls the system unless the call is to fail.
template <class... Arguments>
long call(const char* name, Ways ways, long number, Arguments... arguments) noexcept {
  const int error = failureOf(Failing::systemCalls, name, ways);
  if (error == 0)
    return ::syscall(number, arguments...);
  errno = error;
  return -1;
}

/// As call(), for functions that transfer bytes, which may be fewer than wanted.
template <class Memory, class... Place>
long transfer(const char* name, Ways ways, long number, int file, Memory memory, std::size_t count,
              Place... place) noexcept {
  const int error = failureOf(Failing::systemCalls, name, ways);
  if (error == 0 || error == shortened)
    return ::syscall(number, file, memory, error == 0 ? count : (count + 1) / 2, place...);
  errno = error;
  return -1;
}

/// As transfer(), into several pieces of memory.
long scatter(const char* name, int file, const ::iovec* pieces, int count,
             ::off_t offset) noexcept {
  const int error = failureOf(Failing::systemCalls, name, {EIO, EINTR, shortened});
  if (error == 0)
    return ::syscall(SYS_preadv, file, pieces, count, offset, 0L);
  if (error == shortened && count > 0) {
    const ::iovec half{pieces->iov_base, (pieces->iov_len + 1) / 2};
    return ::syscall(SYS_preadv, file, &half, 1, offset, 0L);
  }
  errno = error;
  return -1;
}

} // namespace

void begin(Failing kind, std::uint64_t number, std::size_t way) noexcept {
  calls = 0;
  failing = number;
  wayOfFailing = way;
  failedCall = {};
  counted = static_cast<std::uint8_t>(kind);
}

std::uint64_t end() noexcept {
  counted = none;
  return calls;
}

FailedCall failed() noexcept { return failedCall; }

} // namespace kaon::torture

namespace kaon::torture {

/// Calls a function of glibc that ends the program if its allocations fail.
template <class Function, class... Arguments>
int exempt(const char* name, Arguments... arguments) noexcept {
  isExempt = true;
  const int result = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name))(arguments...);
  isExempt = false;
  return result;
}

} // namespace kaon::torture

using kaon::torture::call;
using kaon::torture::Failing;
using kaon::torture::lacksMemory;
using kaon::torture::shortened;
using kaon::torture::transfer;

extern "C" {

/// Registers the destructor of a variable of the thread.
int __cxa_thread_atexit_impl(void (*destroy)(void*), void* object, void* library) {
  return kaon::torture::exempt<int(void (*)(void*), void*, void*)>("__cxa_thread_atexit_impl",
                                                                   destroy, object, library);
}

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) { return lacksMemory("malloc") ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return lacksMemory("calloc") ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  return lacksMemory("realloc") ? nullptr : __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return lacksMemory("aligned_alloc") ? nullptr : __libc_memalign(alignment, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return lacksMemory("memalign") ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = lacksMemory("posix_memalign") ? nullptr : __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, unsigned);
  va_end(rest);
  return static_cast<int>(
      call("open", {EMFILE, EACCES, EINTR}, SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, unsigned);
  va_end(rest);
  return static_cast<int>(
      call("open64", {EMFILE, EACCES, EINTR}, SYS_openat, AT_FDCWD, path, flags, mode));
}
int mkostemp(char* path, int flags) {
  // Its calls of the system are glibc's own.
  const int error = kaon::torture::failureOf(Failing::systemCalls, "mkostemp", {ENOSPC, EACCES});
  if (error == 0)
    return kaon::torture::exempt<int(char*, int)>("mkostemp", path, flags);
  errno = error;
  return -1;
}
/// A descriptor is closed even if close() fails.
int close(int file) {
  const int error = kaon::torture::failureOf(Failing::systemCalls, "close", {EIO, EINTR});
  const auto result = static_cast<int>(::syscall(SYS_close, file));
  if (error == 0)
    return result;
  errno = error;
  return -1;
}
::ssize_t read(int file, void* bytes, std::size_t count) {
  return transfer("read", {EIO, EINTR, shortened}, SYS_read, file, bytes, count);
}
::ssize_t pread(int file, void* bytes, std::size_t count, ::off_t offset) {
  return transfer("pread", {EIO, EINTR, shortened}, SYS_pread64, file, bytes, count, offset);
}
::ssize_t pread64(int file, void* bytes, std::size_t count, ::off64_t offset) {
  return transfer("pread64", {EIO, EINTR, shortened}, SYS_pread64, file, bytes, count, offset);
}
::ssize_t preadv(int file, const ::iovec* pieces, int count, ::off_t offset) {
  return kaon::torture::scatter("preadv", file, pieces, count, offset);
}
::ssize_t preadv64(int file, const ::iovec* pieces, int count, ::off64_t offset) {
  return kaon::torture::scatter("preadv64", file, pieces, count, offset);
}
::ssize_t write(int file, const void* bytes, std::size_t count) {
  return transfer("write", {ENOSPC, EIO, EINTR, shortened}, SYS_write, file, bytes, count);
}
::ssize_t pwrite(int file, const void* bytes, std::size_t count, ::off_t offset) {
  return transfer("pwrite", {ENOSPC, EIO, EINTR, shortened}, SYS_pwrite64, file, bytes, count,
                  offset);
}
::ssize_t pwrite64(int file, const void* bytes, std::size_t count, ::off64_t offset) {
  return transfer("pwrite64", {ENOSPC, EIO, EINTR, shortened}, SYS_pwrite64, file, bytes, count,
                  offset);
}
int fsync(int file) {
  return static_cast<int>(call("fsync", {EIO, ENOSPC, EINTR}, SYS_fsync, file));
}
int fdatasync(int file) {
  return static_cast<int>(call("fdatasync", {EIO, ENOSPC, EINTR}, SYS_fdatasync, file));
}
int fstat(int file, struct stat* status) noexcept {
  return static_cast<int>(call("fstat", {EIO}, SYS_fstat, file, status));
}
int fstat64(int file, struct stat64* status) noexcept {
  return static_cast<int>(call("fstat64", {EIO}, SYS_fstat, file, status));
}
int stat(const char* path, struct stat* status) noexcept {
  return static_cast<int>(call("stat", {EIO, EACCES}, SYS_stat, path, status));
}
int stat64(const char* path, struct stat64* status) noexcept {
  return static_cast<int>(call("stat64", {EIO, EACCES}, SYS_stat, path, status));
}
int lstat(const char* path, struct stat* status) noexcept {
  return static_cast<int>(call("lstat", {EIO, EACCES}, SYS_lstat, path, status));
}
int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(
      call("rename", {EIO, ENOSPC, EINTR}, SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0U));
}
int link(const char* from, const char* to) noexcept {
  return static_cast<int>(call("link", {EIO, EPERM}, SYS_link, from, to));
}
int unlink(const char* path) noexcept {
  return static_cast<int>(call("unlink", {EIO}, SYS_unlink, path));
}
int ftruncate(int file, ::off_t size) noexcept {
  return static_cast<int>(call("ftruncate", {EIO, ENOSPC, EINTR}, SYS_ftruncate, file, size));
}
int ftruncate64(int file, ::off64_t size) noexcept {
  return static_cast<int>(call("ftruncate64", {EIO, ENOSPC, EINTR}, SYS_ftruncate, file, size));
}
void* mmap(void* address, std::size_t size, int access, int flags, int file,
           ::off_t offset) noexcept {
  const long map = call("mmap", {ENOMEM}, SYS_mmap, address, size, access, flags, file, offset);
  return reinterpret_cast<void*>(map);
}
void* mmap64(void* address, std::size_t size, int access, int flags, int file,
             ::off64_t offset) noexcept {
  const long map = call("mmap64", {ENOMEM}, SYS_mmap, address, size, access, flags, file, offset);
  return reinterpret_cast<void*>(map);
}
void* mremap(void* address, std::size_t size, std::size_t larger, int flags, ...) noexcept {
  return reinterpret_cast<void*>(
      call("mremap", {ENOMEM}, SYS_mremap, address, size, larger, flags));
}
int madvise(void* address, std::size_t size, int advice) noexcept {
  return static_cast<int>(call("madvise", {ENOMEM}, SYS_madvise, address, size, advice));
}
int flock(int file, int operation) noexcept {
  return static_cast<int>(call("flock", {ENOLCK, EINTR}, SYS_flock, file, operation));
}
::off_t lseek(int file, ::off_t offset, int whence) noexcept {
  return call("lseek", {EIO}, SYS_lseek, file, offset, whence);
}
::off64_t lseek64(int file, ::off64_t offset, int whence) noexcept {
  return call("lseek64", {EIO}, SYS_lseek, file, offset, whence);
}
int fstatfs(int file, struct statfs* status) noexcept {
  return static_cast<int>(call("fstatfs", {EIO}, SYS_fstatfs, file, status));
}

} // extern "C"
