#include <kaon/io/DistantSource.h>

#include <kaon/base/Forks.h>
#include <kaon/detail/io/FetchedRanges.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <utility>
#include <vector>

namespace kaon::io {
namespace {

/// The bytes that arrive in the time in which a server finds another range.
constexpr std::uint64_t mostGap = std::uint64_t{32} << 10;

/// Held ranges arrive in parts of about this size: the first are used while others arrive.
constexpr std::uint64_t heldBytes = std::uint64_t{4} << 20;

/// Returns the index of the range that contains another one; their number if no range does. The
/// ranges are in order.
std::size_t findRange(std::span<const ByteRange> ranges, const ByteRange& wanted) noexcept {
  const auto after = std::ranges::upper_bound(ranges, wanted.offset, {}, &ByteRange::offset);
  if (after == ranges.begin())
    return ranges.size();
  const ByteRange& range = *(after - 1);
  const std::uint64_t begin = wanted.offset - range.offset;
  return begin <= range.count && wanted.count <= range.count - begin
             ? static_cast<std::size_t>(after - ranges.begin() - 1)
             : ranges.size();
}

bool covers(std::span<const ByteRange> ranges, const ByteRange& wanted) noexcept {
  return findRange(ranges, wanted) < ranges.size();
}

/// Ranges of a file, in order, and their bytes.
struct FileRanges {
  std::vector<ByteRange> ranges;
  std::vector<std::vector<std::byte>> bytes;

  /// Returns the bytes of a range inside one of these; null if it is in no range.
  [[nodiscard]] const std::byte* find(const ByteRange& wanted) const noexcept {
    const std::size_t i = findRange(ranges, wanted);
    return i < ranges.size() ? bytes[i].data() + (wanted.offset - ranges[i].offset) : nullptr;
  }
};

/// Ranges that were announced or are held; they have arrived or will.
struct ExpectedRanges {
  std::vector<ByteRange> ranges; // in order
  std::uint64_t left = 0;        // bytes that nobody has read
  std::shared_future<std::shared_ptr<const FileRanges>> pieces;
};

/// Releasing the last reference waits for its thread, so never do it under the lock.
using HeldRanges = std::vector<std::shared_ptr<const ExpectedRanges>>;

/// Ranges that are fetched in the background.
struct Background {
  std::mutex mutex;
  std::vector<std::weak_ptr<const ExpectedRanges>> held;
  std::deque<ExpectedRanges> announced; // oldest first; its futures wait for their threads
};

class DistantSource final : public ByteSource {
public:
  DistantSource(std::string name, std::uint64_t size, Fetch fetch, std::uint64_t announcedBytes)
      : ByteSource(std::move(name)), m_size(size), m_fetch(std::move(fetch)),
        m_announcedBytes(announcedBytes) {
    std::vector<ByteRange> edges{inside({0, edgeBytes}),
                                 inside({size - std::min(size, edgeBytes), edgeBytes})};
    m_edges = get(std::move(edges));
  }

  [[nodiscard]] std::uint64_t size() const noexcept override { return m_size; }

  void prefetch(std::span<const ByteRange> ranges) const noexcept override {
    try {
      announce(ranges);
    } catch (const std::exception&) {
      // It is fetched when it is read.
    }
  }

  [[nodiscard]] bool isDistant() const noexcept override { return true; }

  [[nodiscard]] std::shared_ptr<const void> hold(std::span<const ByteRange> ranges) const override {
    auto held = std::make_shared<HeldRanges>();
    try {
      addHeld(ranges, *held);
    } catch (const std::exception&) {
      // It is fetched when it is read.
    }
    return held;
  }

private:
  void addHeld(std::span<const ByteRange> ranges, HeldRanges& held) const {
    HeldRanges known;
    Background& background = m_background.get();
    const std::scoped_lock lock(background.mutex);
    known = heldNow(background);
    for (std::size_t first = 0; first < ranges.size();) {
      std::size_t last = first;
      for (std::uint64_t bytes = 0; last < ranges.size() && bytes < heldBytes; ++last)
        bytes += ranges[last].count;
      if (auto expected = expect(background, ranges.subspan(first, last - first), known);
          !expected.ranges.empty())
        background.held.emplace_back(
            held.emplace_back(std::make_shared<const ExpectedRanges>(std::move(expected))));
      first = last;
    }
    std::erase_if(background.held, [](const auto& each) { return each.expired(); });
  }

  /// Returns the ranges that anyone holds. Needs the lock.
  [[nodiscard]] static HeldRanges heldNow(const Background& background) {
    HeldRanges all;
    for (const auto& each : background.held)
      if (auto held = each.lock())
        all.push_back(std::move(held));
    return all;
  }

  /// Fetches ranges; near ones as one.
  [[nodiscard]] std::shared_ptr<const FileRanges> get(std::vector<ByteRange> ranges) const {
    auto pieces = std::make_shared<FileRanges>();
    std::erase_if(ranges, [](const ByteRange& range) { return range.count == 0; });
    joinNeighbours(ranges, mostGap);
    pieces->ranges = std::move(ranges);
    std::vector<std::span<std::byte>> places;
    for (const ByteRange& range : pieces->ranges)
      places.emplace_back(pieces->bytes.emplace_back(static_cast<std::size_t>(range.count)));
    if (!places.empty())
      m_fetch(pieces->ranges, places);
    return pieces;
  }

  void announce(std::span<const ByteRange> ranges) const {
    if (bytesIn(ranges) > m_announcedBytes)
      return;
    HeldRanges held;
    Background& background = m_background.get();
    const std::scoped_lock lock(background.mutex);
    held = heldNow(background);
    ExpectedRanges expected = expect(background, ranges, held);
    if (expected.ranges.empty())
      return;
    std::deque<ExpectedRanges>& announced = background.announced;
    announced.push_back(std::move(expected));
    std::uint64_t kept = 0;
    for (const ExpectedRanges& each : announced)
      kept += bytesIn(each.ranges);
    while (announced.size() > 1 && kept > m_announcedBytes && isDone(announced.front())) {
      kept -= bytesIn(announced.front().ranges);
      announced.pop_front();
    }
  }

  /// Begins to fetch the parts of these ranges that are neither present nor expected. Needs the
  /// lock.
  [[nodiscard]] ExpectedRanges expect(const Background& background,
                                      std::span<const ByteRange> ranges,
                                      const HeldRanges& held) const {
    ExpectedRanges expected;
    for (const ByteRange& range : ranges) {
      const ByteRange wanted = inside(range);
      if (wanted.count > 0 && !covers(m_edges->ranges, wanted) &&
          !isExpected(background, wanted, held))
        expected.ranges.push_back(wanted);
    }
    if (expected.ranges.empty())
      return expected;
    expected.left = bytesIn(expected.ranges);
    joinNeighbours(expected.ranges, mostGap);
    expected.pieces = std::async(std::launch::async, [this, ranges = expected.ranges] {
                        return get(ranges);
                      }).share();
    return expected;
  }

  [[nodiscard]] static bool isExpected(const Background& background, const ByteRange& wanted,
                                       const HeldRanges& held) {
    return std::ranges::any_of(
               background.announced,
               [&](const ExpectedRanges& each) { return covers(each.ranges, wanted); }) ||
           std::ranges::any_of(held,
                               [&](const auto& each) { return covers(each->ranges, wanted); });
  }

  [[nodiscard]] static bool isDone(const ExpectedRanges& expected) {
    return expected.pieces.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  void request(std::span<const ByteRange> ranges, std::span<std::span<const std::byte>> views,
               Buffer& scratch) const override {
    place(ranges, views, scratch);
    std::vector<std::shared_ptr<const FileRanges>> known{m_edges};
    for (const auto& expected : expectedWith(ranges))
      try {
        known.push_back(expected.get());
      } catch (const std::exception&) {
        // It is requested once more; errors of the second request are thrown.
      }
    std::vector<ByteRange> missing;
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (!copyFrom(known, ranges[i], views[i]))
        missing.push_back(ranges[i]);
    if (missing.empty())
      return;
    known = {get(missing)};
    for (std::size_t i = 0; i < ranges.size(); ++i)
      copyFrom(known, ranges[i], views[i]);
  }

  /// Copies a range to its place in the scratch; returns false if no piece has it.
  static bool copyFrom(std::span<const std::shared_ptr<const FileRanges>> known,
                       const ByteRange& range, std::span<const std::byte> place) {
    for (const auto& pieces : known)
      if (const std::byte* const bytes = pieces->find(range)) {
        std::copy_n(bytes, place.size(), const_cast<std::byte*>(place.data()));
        return true;
      }
    return range.count == 0;
  }

  /// Returns the expected pieces that have one of these ranges. Forgets announced ranges after all
  /// of them were read.
  [[nodiscard]] std::vector<std::shared_future<std::shared_ptr<const FileRanges>>>
  expectedWith(std::span<const ByteRange> ranges) const {
    std::vector<std::shared_future<std::shared_ptr<const FileRanges>>> all;
    HeldRanges held;
    Background& background = m_background.get();
    const std::scoped_lock lock(background.mutex);
    held = heldNow(background);
    for (ExpectedRanges& announced : background.announced)
      if (const std::uint64_t bytes = bytesOf(announced, ranges); bytes > 0) {
        announced.left -= std::min(announced.left, bytes);
        all.push_back(announced.pieces);
      }
    std::erase_if(background.announced, [](const ExpectedRanges& each) { return each.left == 0; });
    for (const auto& each : held)
      if (bytesOf(*each, ranges) > 0)
        all.push_back(each->pieces);
    return all;
  }

  /// Returns how many bytes of these ranges only `expected` has.
  [[nodiscard]] std::uint64_t bytesOf(const ExpectedRanges& expected,
                                      std::span<const ByteRange> ranges) const {
    std::uint64_t bytes = 0;
    for (const ByteRange& range : ranges)
      if (range.count > 0 && !covers(m_edges->ranges, range) && covers(expected.ranges, range))
        bytes += range.count;
    return bytes;
  }

  std::uint64_t m_size;
  Fetch m_fetch;
  std::uint64_t m_announcedBytes;
  std::shared_ptr<const FileRanges> m_edges;
  OfProcess<Background> m_background;
};

} // namespace

std::unique_ptr<ByteSource> distantSource(std::string name, std::uint64_t size, Fetch fetch,
                                          std::uint64_t announcedBytes) {
  return std::make_unique<DistantSource>(std::move(name), size, std::move(fetch), announcedBytes);
}

} // namespace kaon::io
