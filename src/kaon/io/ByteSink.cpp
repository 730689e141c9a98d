#include <kaon/io/ByteSink.h>

#include <kaon/base/Error.h>
#include <kaon/base/OptionValue.h>
#include <kaon/io/FileDescriptor.h>
#include <kaon/io/OwnerProcess.h>

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <utility>

namespace kaon::io {
namespace {

/// Takes a lock (LOCK_EX or LOCK_SH) on a file while it is open.
void lock(const FileDescriptor& file, int kind, const std::string& name) {
  if (uninterrupted([&] { return ::flock(file.number(), kind | LOCK_NB); }) == 0)
    return;
  if (errno == EWOULDBLOCK)
    fail(ErrorKind::io, name,
         ": another writer is at work on this file, in this program or another: finish it");
  failWithErrno(name, "cannot lock");
}

/// Returns what the system knows of an open file. Throws Error(io) with its path.
[[nodiscard]] struct stat statusOf(const FileDescriptor& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.number(), &status) != 0)
    failWithErrno(path, "cannot tell its size");
  return status;
}

[[nodiscard]] std::uint64_t sizeOf(const FileDescriptor& file, const std::string& path) {
  return static_cast<std::uint64_t>(statusOf(file, path).st_size);
}

/// Whether the open file still has this name. Throws Error(io) if the system cannot tell.
[[nodiscard]] bool isNamed(const FileDescriptor& file, const std::string& path) {
  const struct stat opened = statusOf(file, path);
  struct stat named {};
  if (::stat(path.c_str(), &named) == 0)
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
  if (errno != ENOENT)
    failWithErrno(path, "cannot find");
  return false;
}

void rename(const std::string& from, const std::string& to, std::string_view problem) {
  if (uninterrupted([&] { return std::rename(from.c_str(), to.c_str()); }) != 0)
    failWithErrno(from, problem);
}

/// Returns the path with the first number behind it that no file has: "f.part.1".
[[nodiscard]] std::string freeName(const std::string& path) {
  std::string name;
  std::size_t number = 0;
  do
    name = path + '.' + std::to_string(++number);
  while (std::filesystem::symlink_status(name).type() != std::filesystem::file_type::not_found);
  return name;
}

[[nodiscard]] std::string directoryOf(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

/// The unfinished files that writers of this process gave up. The process may replace them when it
/// tries again; others are kept.
class GivenUpFiles {
public:
  static GivenUpFiles& ofProcess() {
    static auto* const files = new GivenUpFiles; // NOLINT: static writers may end after it
    return *files;
  }
  void add(const struct stat& file) {
    const std::lock_guard lock(m_mutex);
    m_files.insert(stateOf(file));
  }
  /// Returns whether the file is as it was given up here, and forgets it.
  [[nodiscard]] bool take(const struct stat& file) {
    const std::lock_guard lock(m_mutex);
    return m_files.erase(stateOf(file)) > 0;
  }

private:
  /// Size and time tell a file from a later one to which the system gives the same number.
  using State = std::array<std::int64_t, 4>;
  [[nodiscard]] static State stateOf(const struct stat& file) noexcept {
    return {static_cast<std::int64_t>(file.st_dev), static_cast<std::int64_t>(file.st_ino),
            static_cast<std::int64_t>(file.st_size), static_cast<std::int64_t>(file.st_mtime)};
  }

  std::mutex m_mutex;
  std::set<State> m_files;
};

/// Makes the system write completed bytes while the next ones are made; otherwise all of them would
/// have to be written at the end.
class EarlyFlush {
public:
  /// Call it when the file has `size` bytes.
  void written(const FileDescriptor& file, std::uint64_t size) noexcept {
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
  FileSink(const std::string& path, Sync sync)
      : m_path(path), m_part(path + ".part"), m_sync(sync) {
    if (path.empty())
      fail(ErrorKind::usage, "the path of a file to be written is empty");
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
      fail(ErrorKind::io, path, ": exists and is not a file");
    lockPart();
    lockReplaced();
  }
  ~FileSink() override {
    if (!m_file.isOpen() || !m_owner.isThis())
      return;
    try {
      GivenUpFiles::ofProcess().add(statusOf(m_file, m_part));
    } catch (...) { // the file is then kept like that of another process
    }
  }
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
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

  void sync() override {
    m_owner.check(m_path);
    syncFile(m_file.number(), m_part);
    if (!m_hasDurableName)
      syncFolder(openFolder(directory()), directory());
    m_hasDurableName = true;
  }

  void finish() override {
    m_owner.check(m_path);
    FileDescriptor folder;
    if (m_sync != Sync::never) {
      syncFile(m_file.number(), m_part);
      folder = openFolder(directory()); // before the old file is replaced
    }
    rename(m_part, m_path, "cannot rename to its final name");
    m_file.close();
    m_replaced.close();
    syncFolder(folder, directory());
  }

private:
  /// Opens and locks an empty .part; again if its writer renamed it in between.
  void lockPart() {
    do {
      m_file = FileDescriptor::open(m_part, O_WRONLY | O_CREAT);
      if (!m_file.isOpen())
        failWithErrno(m_part, "cannot create");
      lock(m_file, LOCK_EX, m_part);
    } while (!isNamed(m_file, m_part) || keepLeftovers());
  }
  /// Gives the .part of a dead writer another name, unless it is empty. Returns whether it did.
  [[nodiscard]] bool keepLeftovers() {
    const struct stat status = statusOf(m_file, m_part);
    if (status.st_size == 0)
      return false;
    if (GivenUpFiles::ofProcess().take(status)) {
      if (!resize(m_file, 0))
        failWithErrno(m_part, "cannot empty");
      return false;
    }
    const std::string kept = freeName(m_part);
    rename(m_part, kept, "cannot keep it as " + kept);
    return true;
  }
  /// Prevents others from appending to the file that this one will replace.
  void lockReplaced() {
    m_replaced = FileDescriptor::open(m_path, O_RDONLY | O_NONBLOCK);
    if (m_replaced.isOpen())
      lock(m_replaced, LOCK_SH, m_path);
  }

  std::string m_path;
  std::string m_part;
  Sync m_sync;
  bool m_hasDurableName = false; // of the .part
  OwnerProcess m_owner;
  FileDescriptor m_file;
  FileDescriptor m_replaced;
  std::uint64_t m_written = 0;
  EarlyFlush m_flush;
};

class AppendSink final : public ByteSink {
public:
  AppendSink(const std::string& path, Sync sync) : m_path(path), m_sync(sync) {
    do { // again if another writer replaced the file in between
      m_file = FileDescriptor::open(path, O_WRONLY | O_APPEND | O_NONBLOCK);
      if (!m_file.isOpen())
        failWithErrno(path, "cannot open to append");
      if (!S_ISREG(statusOf(m_file, path).st_mode))
        fail(ErrorKind::io, path, ": is not a file");
      lock(m_file, LOCK_EX, path);
    } while (!isNamed(m_file, path));
    m_start = m_kept = size(); // under the lock
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

  void sync() override {
    m_owner.check(m_path);
    checkUnchanged();
    syncFile(m_file.number(), m_path);
    m_kept = m_start + m_written;
  }

  void rewrite(std::uint64_t position, std::span<const std::byte> bytes) override {
    m_owner.check(m_path);
    if (!m_rewritten.isOpen()) {
      makeDurable();
      m_rewritten = FileDescriptor::open(m_path, O_WRONLY); // the other one only appends
      if (!m_rewritten.isOpen())
        failWithErrno(m_path, "cannot open to write");
    }
    if (::lseek(m_rewritten.number(), static_cast<::off_t>(position), SEEK_SET) < 0)
      failWithErrno(m_path, "cannot write");
    writeAll(m_rewritten.number(), bytes, m_path);
  }

  void finish() override {
    m_owner.check(m_path);
    makeDurable();
    m_rewritten.close();
    m_file.close();
  }

  void abandon() noexcept override { takeBack(); }

  void cut(std::uint64_t size) override {
    if (!resize(m_file, size))
      failWithErrno(m_path, "cannot cut off its end");
    m_start = m_kept = size;
  }

private:
  /// The lock excludes writers of kaon, but not other programs.
  void checkUnchanged() const {
    if (!isNamed(m_file, m_path) || size() != m_start + m_written)
      fail(ErrorKind::io, m_path, ": another program changed the file while it was appended to");
  }
  void makeDurable() const {
    checkUnchanged();
    if (m_sync != Sync::never)
      syncFile(m_file.number(), m_path);
  }
  /// Does nothing in a forked process: the file belongs to the other one. Bytes that were rewritten
  /// may refer to the new ones, which then stay.
  void takeBack() noexcept {
    if (!m_file.isOpen() || !m_owner.isThis())
      return;
    if (!m_rewritten.isOpen() && resize(m_file, m_kept))
      (void)uninterrupted([&] { return ::fsync(m_file.number()); });
    m_file.close(); // the next writer removes bytes that remain
  }
  [[nodiscard]] std::uint64_t size() const { return sizeOf(m_file, m_path); }

  std::string m_path;
  Sync m_sync;
  OwnerProcess m_owner;
  FileDescriptor m_file;
  FileDescriptor m_rewritten; // open once rewrite() was called
  std::uint64_t m_start = 0;
  std::uint64_t m_kept = 0; // the size that abandon() restores
  std::uint64_t m_written = 0;
  EarlyFlush m_flush;
};

class MemoryByteSink final : public ByteSink {
public:
  MemoryByteSink(std::string name, Buffer& bytes)
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

  void sync() override { syncFile(m_descriptor, m_name); }
  void finish() override { sync(); }

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

std::unique_ptr<ByteSink> fileSink(const std::string& path, Sync sync) {
  return std::make_unique<FileSink>(path, sync);
}

std::unique_ptr<ByteSink> appendSink(const std::string& path, Sync sync) {
  return std::make_unique<AppendSink>(path, sync);
}

std::unique_ptr<ByteSink> memorySink(std::string name, Buffer& bytes) {
  return std::make_unique<MemoryByteSink>(std::move(name), bytes);
}

std::unique_ptr<ByteSink> streamSink(int descriptor, std::string name) {
  return std::make_unique<StreamSink>(descriptor, std::move(name));
}

} // namespace kaon::io

namespace kaon {

Sync syncNamed(std::string_view name) {
  static constexpr std::array<std::string_view, 4> names{"never", "finish", "cluster", "flush"};
  return detail::optionValue<Sync>("sync", names, name);
}

} // namespace kaon
