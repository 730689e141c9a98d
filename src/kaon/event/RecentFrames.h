#pragma once

#include <kaon/event/FrameContents.h>
#include <kaon/reading/SharedPages.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace kaon::detail {

/// Makes the frames of a category by number. Frames that exist at the same time share decoded
/// pages. A frame that the program dropped becomes the next one, so that collections are found, and
/// pages entered, as fast as in a loop. Thread-safe.
class RecentFrames : public std::enable_shared_from_this<RecentFrames> {
public:
  /// The file, which has the source, must outlive this; the frames share ownership of it. Spare
  /// frames are kept until the last copy of the returned pointer is destroyed.
  [[nodiscard]] static std::shared_ptr<RecentFrames> of(const Source& source);
  explicit RecentFrames(const Source& source);

  /// Returns the contents of a frame. Throws Error(usage) if the entry does not exist.
  [[nodiscard]] std::unique_ptr<FrameContents> at(const std::shared_ptr<const File>& file,
                                                  std::uint64_t entry) {
    std::unique_ptr<FrameContents> last(m_last.exchange(nullptr, std::memory_order_acq_rel));
    if (!last || !last->reader()->hasPagesOf(entry)) [[unlikely]]
      return inOtherPages(file, entry, std::move(last));
    last->reader()->moveTo(entry);
    return last;
  }
  /// Keeps the contents of a frame that was dropped, without additions. Returns false if there is
  /// no space.
  [[nodiscard]] bool keep(FrameContents* contents) noexcept {
    contents->forgetAdditions();
    FrameContents* none = nullptr;
    // Afterwards, other threads may use the contents, and destroy them and this.
    return m_last.compare_exchange_strong(none, contents, std::memory_order_acq_rel) ||
           keepMore(contents);
  }

private:
  /// As many as threads usually read events at the same time.
  static constexpr std::size_t mostSpares = 16;
  [[nodiscard]] std::unique_ptr<FrameContents> inOtherPages(const std::shared_ptr<const File>& file,
                                                            std::uint64_t entry,
                                                            std::unique_ptr<FrameContents> last);
  [[nodiscard]] std::unique_ptr<FrameContents> takeSpare(std::uint64_t entry,
                                                         std::unique_ptr<FrameContents> last);
  [[nodiscard]] bool keepMore(FrameContents* contents) noexcept;
  [[nodiscard]] std::shared_ptr<SharedPages> pages();
  void close() noexcept;

  const Source& m_source;
  /// The spare frame of a program that drops each frame before the next: found without a lock.
  std::atomic<FrameContents*> m_last = nullptr;
  std::mutex m_mutex;
  std::shared_ptr<SharedPages> m_pages;                 // null before the first frame
  std::vector<std::unique_ptr<FrameContents>> m_spares; // more, the last one was dropped last
  bool m_isClosed = false;                              // keeps nothing any more
};

/// The recent frames of all categories of a file. Thread-safe.
class RecentFramesOfFile {
public:
  [[nodiscard]] std::shared_ptr<RecentFrames> of(const Source& source);

private:
  std::mutex m_mutex;
  std::map<const Source*, std::shared_ptr<RecentFrames>> m_frames;
};

} // namespace kaon::detail
