#include <kaon/event/RecentFrames.h>

#include <algorithm>
#include <utility>

namespace kaon::detail {
namespace {

/// Returns contents that stand for "keep nothing any more" in place of a spare frame.
FrameContents* closedMark() noexcept {
  static FrameContents mark;
  return &mark;
}

} // namespace

std::shared_ptr<RecentFrames> RecentFrames::of(const Source& source) {
  auto frames = std::make_shared<RecentFrames>(source);
  // Spare frames share ownership of `frames`, so the last user must drop them.
  RecentFrames* const address = frames.get();
  return {address, [frames = std::move(frames)](RecentFrames* /*same*/) { frames->close(); }};
}

RecentFrames::RecentFrames(const Source& source) : m_source(source) {
  m_spares.reserve(mostSpares); // keep() must not fail
  (void)closedMark();
}

/// Returns a frame of an entry for which the last spare, if any, lacks pages.
std::unique_ptr<FrameContents> RecentFrames::inOtherPages(const std::shared_ptr<const File>& file,
                                                          std::uint64_t entry,
                                                          std::unique_ptr<FrameContents> last) {
  checkEntry(m_source, entry);
  if (auto spare = takeSpare(entry, std::move(last))) {
    spare->reader()->moveTo(entry);
    return spare;
  }
  auto reader =
      std::make_unique<EntryReader>(file, Window(m_source, SharedPages::cursor(pages())), entry);
  return std::make_unique<FrameContents>(std::move(reader), shared_from_this());
}

/// Returns a spare that has the pages of an entry, or else the last one; null without spares.
std::unique_ptr<FrameContents> RecentFrames::takeSpare(std::uint64_t entry,
                                                       std::unique_ptr<FrameContents> last) {
  const std::scoped_lock lock(m_mutex);
  const auto near = std::ranges::find_if(
      m_spares, [&](const auto& spare) { return spare->reader()->hasPagesOf(entry); });
  if (m_spares.empty() || (near == m_spares.end() && last))
    return last;
  if (near != m_spares.end())
    std::swap(*near, m_spares.back());
  std::swap(last, m_spares.back());
  if (!m_spares.back())
    m_spares.pop_back();
  return last;
}

/// Keeps a further spare beside the last one.
bool RecentFrames::keepMore(FrameContents* contents) noexcept {
  const auto alive = shared_from_this();
  const std::scoped_lock lock(m_mutex);
  // One frame with large events is enough to reuse its memory.
  const std::size_t most = m_pages && m_pages->haveLargeEntries() ? 0 : mostSpares;
  if (m_isClosed || m_spares.size() >= most)
    return false;
  m_spares.emplace_back(contents);
  return true;
}

/// Drops the spare frames, and all that come later.
void RecentFrames::close() noexcept {
  const std::unique_ptr<FrameContents> last(
      m_last.exchange(closedMark(), std::memory_order_acq_rel));
  std::vector<std::unique_ptr<FrameContents>> spares;
  const std::scoped_lock lock(m_mutex);
  m_isClosed = true;
  spares.swap(m_spares);
}

std::shared_ptr<SharedPages> RecentFrames::pages() {
  const std::scoped_lock lock(m_mutex);
  if (!m_pages)
    m_pages = std::make_shared<SharedPages>(m_source);
  return m_pages;
}

std::shared_ptr<RecentFrames> RecentFramesOfFile::of(const Source& source) {
  const std::scoped_lock lock(m_mutex);
  auto& frames = m_frames[&source];
  if (!frames)
    frames = RecentFrames::of(source);
  return frames;
}

} // namespace kaon::detail
