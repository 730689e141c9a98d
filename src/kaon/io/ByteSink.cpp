#include <kaon/io/ByteSink.h>

#include <kaon/base/Error.h>
#include <kaon/io/Descriptor.h>
#include <kaon/io/OwnerProcess.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kaon::io {
namespace {

/// Takes a lock (LOCK_EX or LOCK_SH) on a file while it is open.
void lock(const Descriptor& file, int kind, const std::string& name) {
  if (::flock(file.number(), kind | LOCK_NB) == 0)
    return;
  if (errno == EWOULDBLOCK)
    fail(ErrorKind::io, name,
         ": another writer is at work on this file, in this program or another: finish it");
  failWithErrno(name, "cannot lock");
}

/// Whether the open file still has this name.
[[nodiscard]] bool isNamed(const Descriptor& file, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.number(), &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

[[nodiscard]] std::string directoryOf(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

/// Makes the system write completed bytes while the next ones are made; otherwise all of them would
/// have to be written at the end.
class EarlyFlush {
public:
  /// Call it when the file has `size` bytes.
  void written(const Descriptor& file, std::uint64_t size) noexcept {
    constexpr std::uint64_t step = std::uint64_t{8} << 20;
    if (size < m_flushed + step)
      return;
#ifdef SYNC_FILE_RANGE_WRITE // Linux only; finish() reports errors
    (void)::sync_file_range(file.number(), static_cast<::off64_t>(m_flushed),
                            static_cast<::off64_t>(size - m_flushed), SYNC_FILE_RANGE_WRITE);
#endif
    m_flushed = size;
  }

private:
  std::uint64_t m_flushed = 0;
};

class FileSink final : public ByteSink {
public:
  explicit FileSink(const std::string& path) : m_path(path), m_part(path + ".part") {
    if (path.empty())
      fail(ErrorKind::usage, "the path of a file to be written is empty");
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
      fail(ErrorKind::io, path, ": exists and is not a file");
    // Lock before truncating: another writer's bytes must not be touched.
    lockPart();
    lockReplaced();
    if (::ftruncate(m_file.number(), 0) != 0)
      failWithErrno(m_part, "cannot empty");
  }
  [[nodiscard]] const std::string& name() const noexcept override { return m_path; }
  [[nodiscard]] std::string directory() const override { return directoryOf(m_path); }

  void write(std::span<const std::byte> bytes) override {
    m_owner.check(m_path);
    writeAll(m_file.number(), bytes, m_part);
    m_written += bytes.size();
    m_flush.written(m_file, m_written);
  }

  void rewrite(std::uint64_t position, std::span<const std::byte> bytes) override {
    m_owner.check(m_path);
    if (::lseek(m_file.number(), static_cast<::off_t>(position), SEEK_SET) < 0)
      failWithErrno(m_part, "cannot write");
    writeAll(m_file.number(), bytes, m_part);
    if (::lseek(m_file.number(), 0, SEEK_END) < 0)
      failWithErrno(m_part, "cannot write");
  }

  void finish() override {
    m_owner.check(m_path);
    if (::fsync(m_file.number()) != 0)
      failWithErrno(m_part, "cannot write");
    if (std::rename(m_part.c_str(), m_path.c_str()) != 0)
      failWithErrno(m_part, "cannot rename to its final name");
    m_file.close();
    m_replaced.close();
    syncDirectory();
  }

private:
  /// Opens and locks the .part; again if its writer renamed it in between.
  void lockPart() {
    do {
      m_file = Descriptor::open(m_part, O_WRONLY | O_CREAT);
      if (!m_file.isOpen())
        failWithErrno(m_part, "cannot create");
      lock(m_file, LOCK_EX, m_part);
    } while (!isNamed(m_file, m_part));
  }
  /// Prevents others from appending to the file that this one will replace.
  void lockReplaced() {
    m_replaced = Descriptor::open(m_path, O_RDONLY | O_NONBLOCK);
    if (m_replaced.isOpen())
      lock(m_replaced, LOCK_SH, m_path);
  }
  /// Makes the new name survive a loss of power. Not every file system supports it; then the name
  /// is as durable as that system makes it.
  void syncDirectory() const {
    const auto opened = Descriptor::open(directory(), O_RDONLY);
    if (opened.isOpen())
      (void)::fsync(opened.number());
  }

  std::string m_path;
  std::string m_part;
  OwnerProcess m_owner;
  Descriptor m_file;
  Descriptor m_replaced;
  std::uint64_t m_written = 0;
  EarlyFlush m_flush;
};

class AppendSink final : public ByteSink {
public:
  explicit AppendSink(const std::string& path) : m_path(path) {
    do { // again if another writer replaced the file in between
      m_file = Descriptor::open(path, O_WRONLY | O_APPEND | O_NONBLOCK);
      if (!m_file.isOpen())
        failWithErrno(path, "cannot open to append");
      struct stat status {};
      if (::fstat(m_file.number(), &status) != 0 || !S_ISREG(status.st_mode))
        fail(ErrorKind::io, path, ": is not a file");
      lock(m_file, LOCK_EX, path);
    } while (!isNamed(m_file, path));
    m_start = size(); // under the lock
  }
  ~AppendSink() override { takeBack(); }
  AppendSink(const AppendSink&) = delete;
  AppendSink& operator=(const AppendSink&) = delete;
  [[nodiscard]] const std::string& name() const noexcept override { return m_path; }
  [[nodiscard]] std::string directory() const override { return directoryOf(m_path); }
  [[nodiscard]] std::uint64_t start() const noexcept override { return m_start; }

  void write(std::span<const std::byte> bytes) override {
    m_owner.check(m_path);
    writeAll(m_file.number(), bytes, m_path);
    m_written += bytes.size();
    m_flush.written(m_file, m_start + m_written);
  }

  void finish() override {
    m_owner.check(m_path);
    // The lock excludes writers of kaon, but not other programs.
    if (!isNamed(m_file, m_path) || size() != m_start + m_written)
      fail(ErrorKind::io, m_path, ": another program changed the file while it was appended to");
    if (::fsync(m_file.number()) != 0)
      failWithErrno(m_path, "cannot write");
    m_file.close();
  }

  void abandon() noexcept override { takeBack(); }

  void cut(std::uint64_t size) override {
    if (::ftruncate(m_file.number(), static_cast<::off_t>(size)) != 0)
      failWithErrno(m_path, "cannot cut off its end");
    m_start = size;
  }

private:
  /// Does nothing in a forked process: the file belongs to the other one.
  void takeBack() noexcept {
    if (!m_file.isOpen() || !m_owner.isThis())
      return;
    if (::ftruncate(m_file.number(), static_cast<::off_t>(m_start)) == 0)
      (void)::fsync(m_file.number());
    m_file.close(); // the next writer removes bytes that remain
  }
  [[nodiscard]] std::uint64_t size() const {
    struct stat status {};
    if (::fstat(m_file.number(), &status) != 0)
      failWithErrno(m_path, "cannot tell its size");
    return static_cast<std::uint64_t>(status.st_size);
  }

  std::string m_path;
  OwnerProcess m_owner;
  Descriptor m_file;
  std::uint64_t m_start = 0;
  std::uint64_t m_written = 0;
  EarlyFlush m_flush;
};

class MemorySink final : public ByteSink {
public:
  MemorySink(std::string name, Buffer& bytes)
      : m_name(std::move(name)), m_bytes(bytes), m_start(bytes.size()) {}
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] std::uint64_t start() const noexcept override { return m_start; }
  void write(std::span<const std::byte> bytes) override { m_bytes.append(bytes); }
  void rewrite(std::uint64_t position, std::span<const std::byte> bytes) override {
    std::ranges::copy(bytes, m_bytes.data() + m_start + position);
  }
  void finish() override {}
  void abandon() noexcept override {
    if (m_start > 0) // else it is new
      m_bytes.shrink(static_cast<std::size_t>(m_start));
  }
  void cut(std::uint64_t size) override {
    m_bytes.shrink(static_cast<std::size_t>(size));
    m_start = size;
  }

private:
  std::string m_name;
  Buffer& m_bytes;
  std::uint64_t m_start;
};

/// Blocks SIGPIPE in this thread and discards one that arrives: the failed write already reports
/// it.
class PipeSignalHeld {
public:
  PipeSignalHeld() noexcept {
    ::sigset_t pending;
    ::sigemptyset(&m_pipe);
    ::sigaddset(&m_pipe, SIGPIPE);
    ::sigpending(&pending);
    m_wasPending = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
  }
  ~PipeSignalHeld() {
    ::sigset_t pending;
    ::sigpending(&pending);
    int dropped = 0;
    if (!m_wasPending && ::sigismember(&pending, SIGPIPE) == 1)
      ::sigwait(&m_pipe, &dropped);
    ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
  }
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;

private:
  ::sigset_t m_pipe;
  ::sigset_t m_before;
  bool m_wasPending;
};

class StreamSink final : public ByteSink {
public:
  StreamSink(int descriptor, std::string name)
      : m_name(std::move(name)), m_descriptor(descriptor) {}
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }

  void write(std::span<const std::byte> bytes) override {
    const PipeSignalHeld held;
    writeAll(m_descriptor, bytes, m_name);
  }

  void finish() override {
    // Pipes and terminals cannot be made durable and return EINVAL.
    if (::fsync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
      failWithErrno(m_name, "cannot write");
  }

private:
  std::string m_name;
  int m_descriptor;
};

} // namespace

std::string ByteSink::directory() const {
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::temp_directory_path(failed);
  return failed ? "/tmp" : path.string();
}

void ByteSink::rewrite(std::uint64_t /*position*/, std::span<const std::byte> /*bytes*/) {
  fail(ErrorKind::usage, name(),
       ": a file of this format must change bytes after writing them, which is impossible here; "
       "write it to a file of its own");
}

void ByteSink::cut(std::uint64_t size) {
  if (size != start())
    fail(ErrorKind::usage, name(), ": is new; there is nothing to cut off");
}

std::unique_ptr<ByteSink> fileSink(const std::string& path) {
  return std::make_unique<FileSink>(path);
}

std::unique_ptr<ByteSink> appendSink(const std::string& path) {
  return std::make_unique<AppendSink>(path);
}

std::unique_ptr<ByteSink> memorySink(std::string name, Buffer& bytes) {
  return std::make_unique<MemorySink>(std::move(name), bytes);
}

std::unique_ptr<ByteSink> streamSink(int descriptor, std::string name) {
  return std::make_unique<StreamSink>(descriptor, std::move(name));
}

} // namespace kaon::io
