#include <kaon/io/FileDescriptor.h>

#include <kaon/base/Error.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace kaon::io {

FileDescriptor::~FileDescriptor() { close(); }

FileDescriptor FileDescriptor::open(const std::string& path, int flags) {
  return FileDescriptor(
      uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); }));
}

FileDescriptor FileDescriptor::openUnnamed(const std::string& directory) {
#ifdef O_TMPFILE // Linux only
  FileDescriptor unnamed(uninterrupted(
      [&] { return ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); }));
  if (unnamed.isOpen() || (errno != EOPNOTSUPP && errno != EISDIR))
    return unnamed;
#endif
  // Other systems, and some file systems, have no unnamed files: make a named file, then remove its
  // name.
  std::string name = directory + "/.kaon-XXXXXX";
  FileDescriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (file.isOpen())
    ::unlink(name.c_str());
  return file;
}

void FileDescriptor::close() noexcept {
  if (isOpen())
    ::close(std::exchange(m_number, -1));
}

void syncFile(int descriptor, std::string_view name) {
  if (uninterrupted([&] { return ::fsync(descriptor); }) != 0 && errno != EINVAL &&
      errno != EROFS && errno != ENOTSUP)
    failWithErrno(name, "cannot write");
}

FileDescriptor openFolder(const std::string& folder) {
  FileDescriptor opened = FileDescriptor::open(folder, O_RDONLY);
  if (!opened.isOpen() && errno != EACCES)
    failWithErrno(folder, "cannot open");
  return opened;
}

void syncFolder(const FileDescriptor& opened, const std::string& folder) {
  if (opened.isOpen())
    syncFile(opened.number(), folder);
}

bool resize(const FileDescriptor& file, std::uint64_t size) noexcept {
  return uninterrupted([&] { return ::ftruncate(file.number(), static_cast<::off_t>(size)); }) == 0;
}

void failWithErrno(std::string_view name, std::string_view what) {
  const int why = errno;
  fail(why == ENOENT ? ErrorKind::missing : ErrorKind::io, name, ": ", what, ": ",
       std::strerror(why));
}

std::size_t readAt(const FileDescriptor& file, std::uint64_t position, std::span<std::byte> bytes,
                   std::string_view name) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ::ssize_t count = uninterrupted([&] {
      return ::pread(file.number(), bytes.data() + done, bytes.size() - done,
                     static_cast<::off_t>(position + done));
    });
    if (count < 0)
      failWithErrno(name, "cannot read");
    if (count == 0)
      break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void writeAll(int descriptor, std::span<const std::byte> bytes, std::string_view name) {
  while (!bytes.empty()) {
    const ::ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EAGAIN) {
      ::pollfd writable{descriptor, POLLOUT, 0};
      (void)::poll(&writable, 1, -1);
    } else if (count < 0 && errno != EINTR) {
      failWithErrno(name, "cannot write");
    } else if (count > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
  }
}

} // namespace kaon::io
