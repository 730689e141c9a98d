#include <kaon/io/ByteSource.h>

#include <kaon/base/Error.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kaon::io {
namespace {

class MemorySource final : public ByteSource {
public:
  MemorySource(std::string name, std::span<const std::byte> bytes)
      : ByteSource(std::move(name)), m_bytes(bytes) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_bytes.size(); }

private:
  std::span<const std::byte> viewInside(std::uint64_t offset, std::size_t count,
                                        Buffer& /*scratch*/) const override {
    return m_bytes.subspan(offset, count);
  }
  std::span<const std::byte> m_bytes;
};

class MappedFile final : public ByteSource {
public:
  explicit MappedFile(const std::string& path) : ByteSource(path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
      failWithErrno("cannot open");
    struct stat status {};
    const bool known = ::fstat(file, &status) == 0;
    const bool regular = known && S_ISREG(status.st_mode);
    m_size = regular ? static_cast<std::size_t>(status.st_size) : 0;
    void* const map =
        m_size > 0 ? ::mmap(nullptr, m_size, PROT_READ, MAP_SHARED, file, 0) : nullptr;
    const int why = errno;
    ::close(file);
    if (known && !regular)
      fail(ErrorKind::io, path, ": is not a file");
    if (!known || map == MAP_FAILED) {
      errno = why;
      failWithErrno("cannot read");
    }
    m_map = static_cast<const std::byte*>(map);
  }
  ~MappedFile() override {
    if (m_map)
      ::munmap(const_cast<std::byte*>(m_map), m_size);
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_size; }

private:
  std::span<const std::byte> viewInside(std::uint64_t offset, std::size_t count,
                                        Buffer& /*scratch*/) const override {
    return {m_map + offset, count};
  }
  [[noreturn]] void failWithErrno(const char* what) const {
    fail(ErrorKind::io, name(), ": ", what, ": ", std::strerror(errno));
  }

  const std::byte* m_map = nullptr;
  std::size_t m_size = 0;
};

} // namespace

std::span<const std::byte> ByteSource::view(std::uint64_t offset, std::uint64_t count,
                                            Buffer& scratch) const {
  if (offset > size() || count > size() - offset)
    fail(ErrorKind::corrupt, name(), ": ends at byte ", size(), " where ", count,
         " bytes from byte ", offset, " are expected; the file is cut or damaged");
  return viewInside(offset, static_cast<std::size_t>(count), scratch);
}

std::unique_ptr<ByteSource> memorySource(std::string name, std::span<const std::byte> bytes) {
  return std::make_unique<MemorySource>(std::move(name), bytes);
}

std::unique_ptr<ByteSource> fileSource(const std::string& path) {
  return std::make_unique<MappedFile>(path);
}

} // namespace kaon::io
