#include <kaon/io/ByteSink.h>

#include <kaon/base/Error.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kaon::io {
namespace {

class FileSink final : public ByteSink {
public:
  explicit FileSink(const std::string& path) : m_path(path), m_part(path + ".part") {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
      fail(ErrorKind::io, path, ": exists and is not a file");
    // The lock comes before the truncation: another writer's bytes must not be touched.
    while (!lockPart())
      ::close(m_file);
    if (::ftruncate(m_file, 0) != 0) {
      ::close(m_file);
      failWithErrno("cannot empty");
    }
  }
  ~FileSink() override {
    if (m_file >= 0)
      ::close(m_file);
  }
  [[nodiscard]] const std::string& name() const noexcept override { return m_path; }

  void write(std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const ::ssize_t count = ::write(m_file, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        failWithErrno("cannot write");
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
  }

  void finish() override {
    if (::fsync(m_file) != 0)
      failWithErrno("cannot write");
    if (std::rename(m_part.c_str(), m_path.c_str()) != 0)
      failWithErrno("cannot rename to its final name");
    ::close(m_file);
    m_file = -1;
    syncDirectory();
  }

private:
  /// Makes the new name survive a loss of power. Not every file system can: then it is as durable
  /// as that one makes it.
  void syncDirectory() const {
    const std::string directory = std::filesystem::path(m_path).parent_path().string();
    const int opened = ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0)
      return;
    (void)::fsync(opened);
    ::close(opened);
  }
  /// Opens and locks the .part. False if its writer gave it the final name in between.
  [[nodiscard]] bool lockPart() {
    m_file = ::open(m_part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (m_file < 0)
      failWithErrno("cannot create");
    if (::flock(m_file, LOCK_EX | LOCK_NB) != 0) {
      ::close(m_file);
      fail(ErrorKind::io, m_part, ": another writer is at work on this file");
    }
    struct stat opened {};
    struct stat named {};
    return ::fstat(m_file, &opened) == 0 && ::stat(m_part.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
  }
  [[noreturn]] void failWithErrno(const char* what) const {
    fail(ErrorKind::io, m_part, ": ", what, ": ", std::strerror(errno));
  }

  std::string m_path;
  std::string m_part;
  int m_file = -1;
};

} // namespace

std::unique_ptr<ByteSink> fileSink(const std::string& path) {
  return std::make_unique<FileSink>(path);
}

} // namespace kaon::io
