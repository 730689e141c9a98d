#include <kaon/event/Reader.h>

#include <kaon/binding/EntryReader.h>
#include <kaon/binding/EvolvedFile.h>
#include <kaon/event/FrameContents.h>

#include <algorithm>

namespace kaon {

Frame Category::at(std::uint64_t entry) const {
  return Frame(std::make_unique<EntryReader>(m_file, *m_source, entry));
}

Reader Reader::evolved(std::vector<ModelDatatypes::Document> models) const {
  return Reader(std::make_shared<EvolvedFile>(m_file, std::move(models)));
}

Category::Iterator::Iterator(const Category& category, EntryRange range)
    : m_entry(range.first), m_entries(std::min(range.last, category.size())),
      m_frame(std::make_unique<Frame>(m_entry < m_entries ? category.at(m_entry) : Frame())) {
  if (m_entry < m_entries)
    m_frame->contents().reader()->readAhead(m_entries);
}

Category::Iterator& Category::Iterator::operator++() {
  if (++m_entry < m_entries)
    m_frame->contents().moveTo(m_entry);
  return *this;
}

} // namespace kaon
