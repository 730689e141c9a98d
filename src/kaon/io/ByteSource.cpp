#include <kaon/io/ByteSource.h>

#include <kaon/base/Error.h>
#include <kaon/io/FileDescriptor.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <limits>
#include <numeric>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace kaon::io {
namespace {

using Views = std::span<std::span<const std::byte>>;

/// Sets each view to its range of bytes that are all in memory.
void viewInPlace(const std::byte* bytes, std::span<const ByteRange> ranges, Views views) {
  for (std::size_t i = 0; i < ranges.size(); ++i)
    views[i] = {bytes + ranges[i].offset, static_cast<std::size_t>(ranges[i].count)};
}

class MemorySource final : public ByteSource {
public:
  MemorySource(std::string name, std::span<const std::byte> bytes)
      : ByteSource(std::move(name)), m_bytes(bytes) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_bytes.size(); }
  [[nodiscard]] bool isInMemory() const noexcept override { return true; }

private:
  void request(std::span<const ByteRange> ranges, Views views, Buffer& /*scratch*/) const override {
    viewInPlace(m_bytes.data(), ranges, views);
  }
  std::span<const std::byte> m_bytes;
};

/// A regular file, open for reading.
struct InputFile {
  explicit InputFile(const std::string& path) {
    // O_NONBLOCK has no effect on files; a pipe without a writer is refused, not waited for.
    descriptor = FileDescriptor::open(path, O_RDONLY | O_NONBLOCK);
    if (!descriptor.isOpen())
      failWithErrno(path, "cannot open");
    struct stat status {};
    if (::fstat(descriptor.number(), &status) != 0)
      failWithErrno(path, "cannot read");
    if (!S_ISREG(status.st_mode))
      fail(ErrorKind::io, path, ": is not a file");
    size = static_cast<std::uint64_t>(status.st_size);
  }
  FileDescriptor descriptor;
  std::uint64_t size = 0;
};

/// A descriptor that stays open only to make reading faster. Their number is limited, because a
/// process may have few, and arrays keep every file open whose bytes they show.
class SpareDescriptor {
public:
  explicit SpareDescriptor(FileDescriptor descriptor) noexcept {
    if (s_open.fetch_add(1, std::memory_order_relaxed) < most)
      m_descriptor = std::move(descriptor);
    else
      s_open.fetch_sub(1, std::memory_order_relaxed);
  }
  ~SpareDescriptor() {
    if (m_descriptor.isOpen())
      s_open.fetch_sub(1, std::memory_order_relaxed);
  }
  SpareDescriptor(const SpareDescriptor&) = delete;
  SpareDescriptor& operator=(const SpareDescriptor&) = delete;
  [[nodiscard]] const FileDescriptor& operator*() const noexcept { return m_descriptor; }

private:
  static constexpr int most = 128; // of usually 1024 per process
  inline static std::atomic<int> s_open{0};
  FileDescriptor m_descriptor;
};

class MappedFile final : public ByteSource {
public:
  explicit MappedFile(const std::string& path) : MappedFile(path, InputFile(path)) {}
  ~MappedFile() override {
    if (m_map)
      ::munmap(const_cast<std::byte*>(m_map), m_size);
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_size; }
  [[nodiscard]] bool isInMemory() const noexcept override { return true; }

  void prefetch(std::span<const ByteRange> ranges) const noexcept override {
    static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    if (areLikelyInMemory(ranges))
      return;
    for (const ByteRange& range : ranges) {
      const ByteRange wanted = inside(range);
      const std::uint64_t begin = wanted.offset / page * page;
      const std::uint64_t end = wanted.offset + wanted.count;
      if (wanted.count > 0 && !isInMemory(wanted))
        (void)::madvise(const_cast<std::byte*>(m_map) + begin,
                        static_cast<std::size_t>(end - begin), MADV_WILLNEED);
    }
  }

private:
  MappedFile(const std::string& path, InputFile file)
      : ByteSource(path), m_size(static_cast<std::size_t>(file.size)),
        m_map(mapped(path, file.descriptor, m_size)), m_descriptor(std::move(file.descriptor)) {}

  static const std::byte* mapped(const std::string& path, const FileDescriptor& file,
                                 std::size_t size) {
    if (size == 0)
      return nullptr; // empty maps do not exist
    void* const map = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
    if (map == MAP_FAILED)
      failWithErrno(path, "cannot read");
    return static_cast<const std::byte*>(map);
  }

  [[nodiscard]] bool isInMemory(std::uint64_t offset) const noexcept {
    std::byte byte{};
    const ::iovec one{&byte, 1};
    return (*m_descriptor).isOpen() && ::preadv2((*m_descriptor).number(), &one, 1,
                                                 static_cast<::off_t>(offset), RWF_NOWAIT) == 1;
  }
  /// Whether the beginning, the middle and the end are in memory: the rest then probably is, too.
  /// Checking every page would take the system as long as mapping them.
  [[nodiscard]] bool isInMemory(const ByteRange& range) const noexcept {
    return isInMemory(range.offset) && isInMemory(range.offset + range.count / 2) &&
           isInMemory(range.offset + range.count - 1);
  }
  /// Checks a sample of many ranges, because checking each takes as long as decoding a small
  /// basket.
  [[nodiscard]] bool areLikelyInMemory(std::span<const ByteRange> ranges) const noexcept {
    constexpr std::size_t samples = 8;
    if (ranges.size() <= samples)
      return false;
    for (std::size_t sample = 0; sample < samples; ++sample) {
      const ByteRange wanted = inside(ranges[sample * (ranges.size() - 1) / (samples - 1)]);
      if (wanted.count > 0 && !isInMemory(wanted.offset + wanted.count / 2))
        return false;
    }
    return true;
  }
  void request(std::span<const ByteRange> ranges, Views views, Buffer& /*scratch*/) const override {
    viewInPlace(m_map, ranges, views);
  }

  std::size_t m_size;
  const std::byte* m_map;
  SpareDescriptor m_descriptor;
};

/// Reads with as few calls as possible: neighbouring ranges together, with small gaps between them.
class ReadFile final : public ByteSource {
public:
  explicit ReadFile(const std::string& path) : ByteSource(path), m_file(path) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_file.size; }

  void prefetch(std::span<const ByteRange> ranges) const noexcept override {
#ifdef POSIX_FADV_WILLNEED
    for (const ByteRange& range : ranges) {
      const ByteRange wanted = inside(range);
      if (wanted.count > 0) // zero would mean all remaining bytes
        (void)::posix_fadvise(m_file.descriptor.number(), static_cast<::off_t>(wanted.offset),
                              static_cast<::off_t>(wanted.count), POSIX_FADV_WILLNEED);
    }
#else
    ByteSource::prefetch(ranges);
#endif
  }

private:
  /// Reading and dropping this many bytes takes no longer than another call; on network file
  /// systems it takes far less.
  static constexpr std::size_t mostGap = std::size_t{32} << 10;

  void request(std::span<const ByteRange> ranges, Views views, Buffer& scratch) const override {
    std::byte* const gap = place(ranges, views, scratch, ranges.size() > 1 ? mostGap : 0);
    std::vector<std::size_t> order(ranges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return ranges[i].offset; });
    std::vector<::iovec> run; // pieces that are contiguous in the file, up to `end`
    std::uint64_t end = 0;
    for (const std::size_t i : order) {
      const auto& [offset, count] = ranges[i];
      if (count == 0)
        continue;
      if (run.empty() || offset < end || offset - end > mostGap || run.size() + 2 > IOV_MAX) {
        read(end, run);
        run.clear();
      } else if (offset > end) {
        run.push_back({gap, static_cast<std::size_t>(offset - end)});
      }
      run.push_back({const_cast<std::byte*>(views[i].data()), views[i].size()});
      end = offset + count;
    }
    read(end, run);
  }

  /// Fills the pieces with the bytes before `end`.
  void read(std::uint64_t end, std::span<::iovec> pieces) const {
    std::uint64_t offset = end;
    for (const ::iovec& piece : pieces)
      offset -= piece.iov_len;
    while (!pieces.empty()) {
      const ::ssize_t count =
          ::preadv(m_file.descriptor.number(), pieces.data(), static_cast<int>(pieces.size()),
                   static_cast<::off_t>(offset));
      if (count == 0)
        fail(ErrorKind::io, name(), ": has become shorter while open: nothing follows byte ",
             offset, ", though it had ", size(), " bytes");
      if (count < 0 && errno != EINTR)
        failWithErrno(name(), "cannot read");
      offset += static_cast<std::uint64_t>(std::max<::ssize_t>(count, 0));
      pieces = after(pieces, static_cast<std::size_t>(std::max<::ssize_t>(count, 0)));
    }
  }

  /// Returns the remaining pieces after their first `count` bytes are filled.
  [[nodiscard]] static std::span<::iovec> after(std::span<::iovec> pieces, std::size_t count) {
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

  InputFile m_file;
};

} // namespace

std::span<const std::byte> ByteSource::view(std::uint64_t offset, std::uint64_t count,
                                            Buffer& scratch) const {
  const ByteRange range{offset, count};
  check(range);
  std::span<const std::byte> bytes;
  request({&range, 1}, {&bytes, 1}, scratch);
  return bytes;
}

std::vector<std::span<const std::byte>> ByteSource::views(std::span<const ByteRange> ranges,
                                                          Buffer& scratch) const {
  for (const ByteRange& range : ranges)
    check(range);
  std::vector<std::span<const std::byte>> bytes(ranges.size());
  if (!ranges.empty())
    request(ranges, bytes, scratch);
  return bytes;
}

void ByteSource::prefetch(std::span<const ByteRange> /*ranges*/) const noexcept {}

ByteRange ByteSource::inside(const ByteRange& range) const noexcept {
  const std::uint64_t offset = std::min(range.offset, size());
  return {offset, std::min(range.count, size() - offset)};
}

std::byte* ByteSource::place(std::span<const ByteRange> ranges, Views views, Buffer& scratch,
                             std::size_t front) const {
  const auto aligned = [](std::uint64_t size) {
    return (size + Buffer::alignment - 1) / Buffer::alignment * Buffer::alignment;
  };
  constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max() / 2;
  std::uint64_t size = aligned(front);
  for (const ByteRange& range : ranges) {
    if (range.count > most - size)
      fail(ErrorKind::corrupt, name(),
           ": more bytes are expected than fit into memory; the file is damaged");
    size += aligned(range.count);
  }
  std::byte* const begin = scratch.assign(static_cast<std::size_t>(size)).data();
  std::byte* at = begin + aligned(front);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    views[i] = {at, static_cast<std::size_t>(ranges[i].count)};
    at += aligned(ranges[i].count);
  }
  return begin;
}

void ByteSource::check(const ByteRange& range) const {
  if (inside(range) != range)
    fail(ErrorKind::corrupt, name(), ": ends at byte ", size(), " where ", range.count,
         " bytes from byte ", range.offset, " are expected; the file is cut or damaged");
}

std::unique_ptr<ByteSource> memorySource(std::string name, std::span<const std::byte> bytes) {
  return std::make_unique<MemorySource>(std::move(name), bytes);
}

std::unique_ptr<ByteSource> fileSource(const std::string& path) {
  return std::make_unique<MappedFile>(path);
}

std::unique_ptr<ByteSource> readSource(const std::string& path) {
  return std::make_unique<ReadFile>(path);
}

} // namespace kaon::io
