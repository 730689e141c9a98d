#include <kaon/detail/array/Arena.h>

#include <algorithm>

namespace kaon::detail {

Arena& Arena::makeOfThread() noexcept {
  thread_local Arena arena;
  s_ofThread = &arena;
  return arena;
}

void Arena::enter(std::size_t chunk) noexcept {
  m_mark = {chunk, 0};
  m_begin = m_chunks[chunk].bytes.get();
  m_room = m_chunks[chunk].size;
}

void Arena::addRoom(std::size_t bytes) {
  constexpr std::size_t least = std::size_t{64} << 10;
  std::size_t next = m_chunks.empty() ? 0 : m_mark.chunk + 1;
  while (next < m_chunks.size() && m_chunks[next].size < bytes)
    ++next; // too small for this; unused until the arena is released
  if (next == m_chunks.size()) {
    const std::size_t size =
        std::max({least, bytes, m_chunks.empty() ? 0 : 2 * m_chunks.back().size});
    m_chunks.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
  }
  enter(next);
}

} // namespace kaon::detail
