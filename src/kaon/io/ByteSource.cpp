#include <kaon/io/ByteSource.h>

#include <kaon/base/Error.h>
#include <kaon/base/OptionValue.h>
#include <kaon/io/InputFile.h>
#include <kaon/io/MappedBytes.h>

#include <fcntl.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <climits>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace kaon::io {
namespace {

using Views = std::span<std::span<const std::byte>>;

class MemorySource final : public ByteSource {
public:
  MemorySource(std::string name, std::span<const std::byte> bytes)
      : ByteSource(std::move(name)), m_bytes(bytes) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_bytes.size(); }
  [[nodiscard]] bool isInMemory() const noexcept override { return true; }
  [[nodiscard]] const std::byte* inPlace() const noexcept override { return m_bytes.data(); }

private:
  void request(std::span<const ByteRange> ranges, Views views, Buffer& /*scratch*/) const override {
    for (std::size_t i = 0; i < ranges.size(); ++i)
      views[i] = m_bytes.subspan(static_cast<std::size_t>(ranges[i].offset),
                                 static_cast<std::size_t>(ranges[i].count));
  }
  std::span<const std::byte> m_bytes;
};

/// A file in the file system. Reads with as few calls as possible: neighbouring ranges together,
/// with small gaps between them.
class LocalFile final : public ByteSource {
public:
  LocalFile(const std::string& path, MapUse map) : ByteSource(path), m_file(path) {
    // Empty maps do not exist.
    if (m_file.size() > 0 && map != MapUse::never &&
        (map == MapUse::always || !m_file.isOnNetwork()))
      m_map.emplace(path, *m_file.access(), static_cast<std::size_t>(m_file.size()));
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_file.size(); }
  [[nodiscard]] const std::byte* inPlace() const noexcept override {
    return m_map ? m_map->data() : nullptr;
  }
  void checkUnchanged() const override {
    m_file.checkUnchanged();
    if (m_map && m_map->isDamaged())
      fail(ErrorKind::io, name(), ": cannot read: the system cannot load some of its bytes");
  }

  void prefetch(std::span<const ByteRange> ranges) const noexcept override {
#ifdef POSIX_FADV_WILLNEED
    if (!m_file.isKeptOpen() || areLikelyInMemory(ranges))
      return;
    const int file = (*m_file.access()).number();
    for (const ByteRange& range : ranges) {
      const ByteRange wanted = inside(range);
      if (wanted.count > 0) // zero would mean all remaining bytes
        (void)::posix_fadvise(file, static_cast<::off_t>(wanted.offset),
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

  [[nodiscard]] static bool isInMemory(int file, std::uint64_t offset) noexcept {
    std::byte byte{};
    const ::iovec one{&byte, 1};
    return ::preadv2(file, &one, 1, static_cast<::off_t>(offset), RWF_NOWAIT) == 1;
  }
  /// Checks a sample of many ranges, because checking each takes as long as decoding a small
  /// basket. If their bytes are in memory, the others probably are, too.
  [[nodiscard]] bool areLikelyInMemory(std::span<const ByteRange> ranges) const noexcept {
    constexpr std::size_t samples = 8;
    const int file = (*m_file.access()).number();
    const bool areMany = ranges.size() > samples;
    const auto isThere = [&](const ByteRange& range) {
      const ByteRange wanted = inside(range);
      return wanted.count == 0 ||
             (isInMemory(file, wanted.offset + wanted.count / 2) &&
              (areMany || (isInMemory(file, wanted.offset) &&
                           isInMemory(file, wanted.offset + wanted.count - 1))));
    };
    const std::size_t step = (ranges.size() + samples - 1) / samples;
    for (std::size_t i = 0; i < ranges.size(); i += step)
      if (!isThere(ranges[i]))
        return false;
    return true;
  }

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
        m_file.read(end, run);
        run.clear();
      } else if (offset > end) {
        run.push_back({gap, static_cast<std::size_t>(offset - end)});
      }
      run.push_back({const_cast<std::byte*>(views[i].data()), views[i].size()});
      end = offset + count;
    }
    m_file.read(end, run);
    m_file.checkUnchanged();
  }

  InputFile m_file;
  std::optional<MappedBytes> m_map;
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

std::span<const std::byte> ByteSource::viewInPlace(std::uint64_t offset, std::uint64_t count,
                                                   Buffer& scratch) const {
  const std::byte* const bytes = inPlace();
  if (!bytes)
    return view(offset, count, scratch);
  check({offset, count});
  return {bytes + offset, static_cast<std::size_t>(count)};
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

std::unique_ptr<ByteSource> fileSource(const std::string& path, MapUse map) {
  return std::make_unique<LocalFile>(path, map);
}

} // namespace kaon::io

namespace kaon {

MapUse mapUseNamed(std::string_view name) {
  static constexpr std::array<std::string_view, 3> names{"auto", "always", "never"};
  return detail::optionValue<MapUse>("map", names, name);
}

} // namespace kaon
