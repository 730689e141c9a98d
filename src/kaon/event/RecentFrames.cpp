#include <kaon/event/RecentFrames.h>

#include <algorithm>
#include <utility>

namespace kaon::detail {

RecentFrames::RecentFrames(const Source& source) : m_source(source) {
  m_spares.reserve(mostSpares); // keep() must not fail
}

std::unique_ptr<FrameContents> RecentFrames::at(const std::shared_ptr<const File>& file,
                                                std::uint64_t entry) {
  checkEntry(m_source, entry);
  if (auto spare = takeSpare(entry)) {
    spare->moveTo(entry);
    return spare;
  }
  auto reader =
      std::make_unique<EntryReader>(file, Window(m_source, SharedPages::cursor(pages())), entry);
  return std::make_unique<FrameContents>(std::move(reader), weak_from_this());
}

/// Returns a spare that has the pages of an entry, or else the last one; null without spares.
std::unique_ptr<FrameContents> RecentFrames::takeSpare(std::uint64_t entry) {
  const std::scoped_lock lock(m_mutex);
  if (m_spares.empty())
    return nullptr;
  const auto near = std::ranges::find_if(
      m_spares, [&](const auto& spare) { return spare->reader()->hasPagesOf(entry); });
  if (near != m_spares.end())
    std::swap(*near, m_spares.back());
  auto spare = std::move(m_spares.back());
  m_spares.pop_back();
  return spare;
}

bool RecentFrames::keep(FrameContents* contents) noexcept {
  contents->forgetAdditions();
  const std::scoped_lock lock(m_mutex);
  // One frame with large events is enough to reuse its memory.
  const std::size_t most = m_pages && m_pages->haveLargeEntries() ? 1 : mostSpares;
  if (m_spares.size() >= most)
    return false;
  m_spares.emplace_back(contents);
  return true;
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
    frames = std::make_shared<RecentFrames>(source);
  return frames;
}

} // namespace kaon::detail
