#include <kaon/event/Reader.h>

#include <kaon/binding/EntryReader.h>
#include <kaon/binding/EvolvedFile.h>
#include <kaon/event/FileMetadata.h>
#include <kaon/event/FrameContents.h>
#include <kaon/object/RegisteredClasses.h>

#include <algorithm>

namespace kaon {

Frame Category::at(std::uint64_t entry) const {
  return Frame(std::make_unique<detail::EntryReader>(m_file, *m_source, entry));
}

Reader Reader::evolved(std::vector<ModelDatatypes::Document> models) const {
  return Reader(std::make_shared<EvolvedFile>(m_file, std::move(models)));
}

Metadata Reader::metadata() const { return readMetadata(*m_file); }

const ModelDatatypes& Reader::datatypes() const { return datatypesIn(m_file); }

Category::Iterator::Iterator(const Category& category, EntryRange range)
    : m_file(category.m_file), m_source(category.m_source), m_entry(range.first),
      m_entries(std::min(range.last, category.size())) {
  if (m_entry >= m_entries)
    return;
  makeFrame();
  reader()->readAhead(m_entries);
}

/// Returns the frame's reader; null if the user moved the frame away, cleared it, or replaced it.
inline detail::EntryReader* Category::Iterator::reader() const {
  detail::EntryReader* const reader = m_frame->isValid() ? m_frame->contents().reader() : nullptr;
  return reader && &reader->source() == m_source ? reader : nullptr;
}

void Category::Iterator::makeFrame() {
  *m_frame = Frame(std::make_unique<detail::EntryReader>(m_file, *m_source, m_entry));
}

Category::Iterator& Category::Iterator::operator++() {
  if (++m_entry >= m_entries)
    return *this;
  if (reader()) [[likely]]
    m_frame->contents().moveTo(m_entry);
  else
    makeFrame();
  return *this;
}

} // namespace kaon
