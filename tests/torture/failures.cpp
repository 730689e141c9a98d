#include "failures.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
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

constexpr std::uint8_t none = 2;
constinit std::atomic<std::uint8_t> counted = none;
constinit std::atomic<std::uint64_t> calls = 0;
constinit std::atomic<std::uint64_t> failing = 0;
constinit std::atomic<const char*> failedCall = "";

constinit thread_local bool isExempt = false;

[[nodiscard]] bool fails(Failing kind, const char* call) noexcept {
  if (isExempt || counted.load() != static_cast<std::uint8_t>(kind) ||
      calls.fetch_add(1) + 1 != failing.load())
    return false;
  failedCall = call;
  return true;
}

[[nodiscard]] bool lacksMemory(const char* call) noexcept {
  if (!fails(Failing::allocations, call))
    return false;
  errno = ENOMEM;
  return true;
}

/// Calls the system unless the call is to fail with this error.
template <class... Arguments>
long call(const char* name, int error, long number, Arguments... arguments) noexcept {
  if (!fails(Failing::systemCalls, name))
    return ::syscall(number, arguments...);
  errno = error;
  return -1;
}

} // namespace

void begin(Failing kind, std::uint64_t number) noexcept {
  calls = 0;
  failing = number;
  failedCall = "";
  counted = static_cast<std::uint8_t>(kind);
}

std::uint64_t end() noexcept {
  counted = none;
  return calls;
}

std::string_view failed() noexcept { return failedCall.load(); }

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
using kaon::torture::lacksMemory;

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
  return static_cast<int>(call("open", EMFILE, SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, unsigned);
  va_end(rest);
  return static_cast<int>(call("open64", EMFILE, SYS_openat, AT_FDCWD, path, flags, mode));
}
::ssize_t read(int file, void* bytes, std::size_t count) {
  return call("read", EIO, SYS_read, file, bytes, count);
}
::ssize_t pread(int file, void* bytes, std::size_t count, ::off_t offset) {
  return call("pread", EIO, SYS_pread64, file, bytes, count, offset);
}
::ssize_t pread64(int file, void* bytes, std::size_t count, ::off64_t offset) {
  return call("pread64", EIO, SYS_pread64, file, bytes, count, offset);
}
::ssize_t preadv(int file, const ::iovec* pieces, int count, ::off_t offset) {
  return call("preadv", EIO, SYS_preadv, file, pieces, count, offset, 0L);
}
::ssize_t preadv64(int file, const ::iovec* pieces, int count, ::off64_t offset) {
  return call("preadv64", EIO, SYS_preadv, file, pieces, count, offset, 0L);
}
::ssize_t write(int file, const void* bytes, std::size_t count) {
  return call("write", ENOSPC, SYS_write, file, bytes, count);
}
::ssize_t pwrite(int file, const void* bytes, std::size_t count, ::off_t offset) {
  return call("pwrite", ENOSPC, SYS_pwrite64, file, bytes, count, offset);
}
::ssize_t pwrite64(int file, const void* bytes, std::size_t count, ::off64_t offset) {
  return call("pwrite64", ENOSPC, SYS_pwrite64, file, bytes, count, offset);
}
int fsync(int file) { return static_cast<int>(call("fsync", EIO, SYS_fsync, file)); }
int fdatasync(int file) { return static_cast<int>(call("fdatasync", EIO, SYS_fdatasync, file)); }
int fstat(int file, struct stat* status) noexcept {
  return static_cast<int>(call("fstat", EIO, SYS_fstat, file, status));
}
int fstat64(int file, struct stat64* status) noexcept {
  return static_cast<int>(call("fstat64", EIO, SYS_fstat, file, status));
}
int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(call("rename", EIO, SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0U));
}
int ftruncate(int file, ::off_t size) noexcept {
  return static_cast<int>(call("ftruncate", EIO, SYS_ftruncate, file, size));
}
int ftruncate64(int file, ::off64_t size) noexcept {
  return static_cast<int>(call("ftruncate64", EIO, SYS_ftruncate, file, size));
}
void* mmap(void* address, std::size_t size, int access, int flags, int file,
           ::off_t offset) noexcept {
  const long map = call("mmap", ENOMEM, SYS_mmap, address, size, access, flags, file, offset);
  return reinterpret_cast<void*>(map);
}
void* mmap64(void* address, std::size_t size, int access, int flags, int file,
             ::off64_t offset) noexcept {
  const long map = call("mmap64", ENOMEM, SYS_mmap, address, size, access, flags, file, offset);
  return reinterpret_cast<void*>(map);
}
int flock(int file, int operation) noexcept {
  return static_cast<int>(call("flock", ENOLCK, SYS_flock, file, operation));
}
::off_t lseek(int file, ::off_t offset, int whence) noexcept {
  return call("lseek", EIO, SYS_lseek, file, offset, whence);
}
::off64_t lseek64(int file, ::off64_t offset, int whence) noexcept {
  return call("lseek64", EIO, SYS_lseek, file, offset, whence);
}
int fstatfs(int file, struct statfs* status) noexcept {
  return static_cast<int>(call("fstatfs", EIO, SYS_fstatfs, file, status));
}

} // extern "C"
