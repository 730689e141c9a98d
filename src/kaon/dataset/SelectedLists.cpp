#include <kaon/detail/dataset/SelectedLists.h>

#include <cstddef>

namespace kaon::detail {

bool SelectedLists::areOf(const ColumnValues& column, unsigned depth) const noexcept {
  if (depth != m_depth)
    return false;
  for (unsigned level = 0; level < depth; ++level)
    if (column.offsets[level].data() != m_from[level])
      return false;
  return true;
}

void SelectedLists::take(const ColumnValues& column, unsigned depth,
                         std::span<const std::uint32_t> entries) {
  m_depth = depth;
  m_pieces.clear();
  for (const std::uint32_t entry : entries) {
    if (!m_pieces.empty() && m_pieces.back() == entry) { // adjacent to the last entry
      ++m_pieces.back();
      continue;
    }
    m_pieces.push_back(entry);
    m_pieces.push_back(entry + 1);
  }
  for (unsigned level = 0; level < depth; ++level) {
    const std::span<const std::uint32_t> from = column.offsets[level];
    m_from[level] = from.data();
    std::vector<std::uint32_t>& taken = m_offsets[level];
    std::size_t lists = 0;
    for (std::size_t i = 0; i < m_pieces.size(); i += 2)
      lists += m_pieces[i + 1] - m_pieces[i];
    taken.resize(lists + 1);
    std::uint32_t* last = taken.data();
    *last = 0;
    for (std::size_t i = 0; i < m_pieces.size(); i += 2) {
      const std::uint32_t shift = *last - from[m_pieces[i]];
      for (std::size_t list = m_pieces[i]; list < m_pieces[i + 1]; ++list)
        *++last = from[list + 1] + shift;
      m_pieces[i] = from[m_pieces[i]];
      m_pieces[i + 1] = from[m_pieces[i + 1]];
    }
  }
}

} // namespace kaon::detail
