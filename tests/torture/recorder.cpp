// A library for LD_PRELOAD. It records what a program writes, renames and makes durable below the
// folder KAON_RECORD_FOLDER, in the file KAON_RECORD_LOG. disk.py reads the records.

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace {

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::string_view folder() {
  const char* const given = std::getenv("KAON_RECORD_FOLDER");
  return given ? given : "";
}

bool isWatched(std::string_view path) { return !folder().empty() && path.starts_with(folder()); }

std::string pathOf(int descriptor) {
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  std::string path(4096, '\0');
  const ::ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return path;
}

std::string numberOf(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? std::to_string(status.st_ino) : "0";
}

/// Appends a line to the log, with the bytes that it announces.
void record(const std::string& line, std::string_view bytes = {}) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const int saved = errno;
  static const int log = next<int(const char*, int, ...)>("open")(
      std::getenv("KAON_RECORD_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  static auto* const writeOn = next<::ssize_t(int, const void*, std::size_t)>("write");
  std::string whole = line + '\n';
  whole += bytes;
  if (writeOn(log, whole.data(), whole.size()) != static_cast<::ssize_t>(whole.size()))
    std::abort();
  errno = saved;
}

int recordOpened(int descriptor, const char* path) {
  if (descriptor >= 0 && isWatched(path))
    record("open " + numberOf(descriptor) + ' ' + path);
  return descriptor;
}

template <class Call>
int recordSync(int descriptor, Call* call) {
  const int result = call(descriptor);
  if (const std::string path = pathOf(descriptor); result == 0 && isWatched(path)) {
    struct stat status {};
    const bool isFolder = ::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
    record(isFolder ? "folder " + path : "sync " + numberOf(descriptor));
  }
  return result;
}

int recordResize(int descriptor, ::off_t size, int result) {
  if (result == 0 && isWatched(pathOf(descriptor)))
    record("resize " + numberOf(descriptor) + ' ' + std::to_string(size));
  return result;
}

} // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = static_cast<::mode_t>(va_arg(rest, int));
  va_end(rest);
  return recordOpened(next<int(const char*, int, ...)>("open")(path, flags, mode), path);
}

int open64(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = static_cast<::mode_t>(va_arg(rest, int));
  va_end(rest);
  return recordOpened(next<int(const char*, int, ...)>("open64")(path, flags, mode), path);
}

::ssize_t write(int descriptor, const void* bytes, std::size_t count) {
  const ::ssize_t written =
      next<::ssize_t(int, const void*, std::size_t)>("write")(descriptor, bytes, count);
  if (written <= 0)
    return written;
  const std::string path = pathOf(descriptor);
  if (!isWatched(path))
    return written;
  const std::string_view text(static_cast<const char*>(bytes), static_cast<std::size_t>(written));
  if (path.ends_with("/acknowledged")) {
    record("acknowledged " + std::string(text));
    return written;
  }
  const ::off_t end = ::lseek(descriptor, 0, SEEK_CUR);
  record("write " + numberOf(descriptor) + ' ' + std::to_string(end - written) + ' ' +
             std::to_string(written),
         text);
  return written;
}

int fsync(int descriptor) { return recordSync(descriptor, next<int(int)>("fsync")); }
int fdatasync(int descriptor) { return recordSync(descriptor, next<int(int)>("fdatasync")); }

int ftruncate(int descriptor, ::off_t size) noexcept {
  return recordResize(descriptor, size, next<int(int, ::off_t)>("ftruncate")(descriptor, size));
}
int ftruncate64(int descriptor, ::off64_t size) noexcept {
  return recordResize(descriptor, size, next<int(int, ::off64_t)>("ftruncate64")(descriptor, size));
}

int rename(const char* from, const char* to) noexcept {
  const int result = next<int(const char*, const char*)>("rename")(from, to);
  if (result == 0 && isWatched(from))
    record("rename " + std::string(from) + ' ' + to);
  return result;
}

} // extern "C"
