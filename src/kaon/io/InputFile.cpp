#include <kaon/io/InputFile.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/resource.h>
#include <sys/stat.h>
#include <utility>

#ifdef __linux__
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif

namespace kaon::io {
namespace {

/// The number of descriptors of all files that are kept open. It is limited, because a process may
/// have few: other files are opened for each access.
std::atomic<::rlim_t> keptOpen = 0;

[[nodiscard]] bool mayKeepOpen() noexcept {
  ::rlimit most{};
  if (::getrlimit(RLIMIT_NOFILE, &most) == 0 && keptOpen.fetch_add(1) < most.rlim_cur / 2)
    return true;
  keptOpen.fetch_sub(1);
  return false;
}

[[nodiscard]] FileDescriptor opened(const std::string& path) {
  // O_NONBLOCK has no effect on files; a pipe without a writer is refused, not waited for.
  FileDescriptor file = FileDescriptor::open(path, O_RDONLY | O_NONBLOCK);
  if (!file.isOpen())
    failWithErrno(path, "cannot open");
  return file;
}

[[nodiscard]] struct stat statOf(const FileDescriptor& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.number(), &status) != 0)
    failWithErrno(path, "cannot read");
  return status;
}

/// Returns the remaining pieces after their first `count` bytes are filled.
[[nodiscard]] std::span<::iovec> after(std::span<::iovec> pieces, std::size_t count) {
  while (!pieces.empty() && count >= pieces.front().iov_len) {
    count -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  if (!pieces.empty()) {
    auto& [base, length] = pieces.front();
    base = static_cast<std::byte*>(base) + count;
    length -= count;
  }
  return pieces;
}

} // namespace

InputFile::InputFile(std::string path) : m_path(std::move(path)) {
  FileDescriptor file = opened(m_path);
  const struct stat status = statOf(file, m_path);
  if (!S_ISREG(status.st_mode))
    fail(ErrorKind::io, m_path, ": is not a file");
  m_device = status.st_dev;
  m_number = status.st_ino;
  m_size = static_cast<std::uint64_t>(status.st_size);
  m_knownSize = m_size;
  m_knownChange = version(file).changed;
  m_edges = hashOfEdges(file);
  if (mayKeepOpen())
    m_descriptor = std::move(file);
}

InputFile::~InputFile() {
  if (m_descriptor.isOpen())
    keptOpen.fetch_sub(1);
}

InputFile::Access InputFile::access() const {
  Access access;
  access.m_kept = &m_descriptor;
  if (m_descriptor.isOpen())
    return access;
  access.m_reopened = opened(m_path);
  const struct stat status = statOf(access.m_reopened, m_path);
  if (status.st_dev != m_device || status.st_ino != m_number)
    fail(ErrorKind::io, m_path, ": was replaced while open; open it again");
  return access;
}

void InputFile::read(std::uint64_t end, std::span<::iovec> pieces) const {
  if (pieces.empty())
    return;
  std::uint64_t offset = end;
  for (const ::iovec& piece : pieces)
    offset -= piece.iov_len;
  const Access file = access();
  while (!pieces.empty()) {
    const ::ssize_t count = ::preadv((*file).number(), pieces.data(),
                                     static_cast<int>(pieces.size()), static_cast<::off_t>(offset));
    if (count == 0)
      fail(ErrorKind::io, m_path, ": has become shorter while open: nothing follows byte ", offset,
           ", though it had ", m_size, " bytes; open it again");
    if (count < 0 && errno != EINTR)
      failWithErrno(m_path, "cannot read");
    offset += static_cast<std::uint64_t>(std::max<::ssize_t>(count, 0));
    pieces = after(pieces, static_cast<std::size_t>(std::max<::ssize_t>(count, 0)));
  }
}

InputFile::Version InputFile::version(const FileDescriptor& file) const {
  constexpr std::int64_t second = 1'000'000'000;
  const struct stat status = statOf(file, m_path);
#ifdef __APPLE__
  const ::timespec& changed = status.st_mtimespec;
#else
  const ::timespec& changed = status.st_mtim;
#endif
  return {static_cast<std::uint64_t>(status.st_size),
          std::int64_t{changed.tv_sec} * second + changed.tv_nsec};
}

/// Returns a hash of the first and the last bytes that the file had when it was opened. Formats
/// state there how long the file is, or where its contents are.
std::uint64_t InputFile::hashOfEdges(const FileDescriptor& file) const {
  constexpr std::size_t most = 4096;
  std::array<std::byte, 2 * most> bytes{};
  const auto edge = static_cast<std::size_t>(std::min<std::uint64_t>(most, m_size));
  // A file that has become shorter has another hash.
  (void)readAt(file, 0, std::span(bytes).first(edge), m_path);
  (void)readAt(file, m_size - edge, std::span(bytes).subspan(edge, edge), m_path);
  return checksum(std::span(bytes).first(2 * edge));
}

void InputFile::checkUnchanged() const {
  const Access file = access();
  if (version(*file) != Version{m_knownSize.load(), m_knownChange.load()}) [[unlikely]]
    checkAppended(*file);
}

void InputFile::checkAppended(const FileDescriptor& file) const {
  constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  const std::scoped_lock lock(m_mutex);
  const Version now = version(file);
  if (now == Version{m_knownSize.load(), m_knownChange.load()})
    return; // another thread has compared it
  const bool isAppended = now.size > m_knownSize.load() && hashOfEdges(file) == m_edges;
  m_knownSize = isAppended ? now.size : never; // once changed, it stays changed
  m_knownChange = now.changed;
  if (now.size < m_size)
    fail(ErrorKind::io, m_path, ": has become shorter while open: it has ", now.size,
         " bytes, though it had ", m_size, "; open it again");
  if (!isAppended)
    fail(ErrorKind::io, m_path, ": was changed by another program while open; open it again");
}

bool InputFile::isOnNetwork() const {
  struct statfs system {};
  const Access file = access();
  if (::fstatfs((*file).number(), &system) != 0)
    return false;
#ifdef __linux__
  // The numbers that statfs(2) lists; some of them have no names in headers of the system.
  constexpr std::array<std::uint32_t, 12> networks{
      0x6969,     // NFS
      0x517b,     // SMB
      0xff534d42, // CIFS
      0xfe534d42, // SMB2
      0x00c36400, // CephFS
      0x0bd00bd0, // Lustre
      0x65735546, // FUSE
      0x5346414f, // AFS
      0x6b414653, // AFS of the kernel
      0x47504653, // GPFS
      0x19830326, // BeeGFS
      0x01021997, // 9P
  };
  return std::ranges::find(networks, static_cast<std::uint32_t>(system.f_type)) != networks.end();
#else
  return (system.f_flags & MNT_LOCAL) == 0;
#endif
}

} // namespace kaon::io
