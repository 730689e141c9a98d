#include <kaon/event/Reader.h>

#include <kaon/binding/EntryReader.h>
#include <kaon/binding/EvolvedFile.h>
#include <kaon/event/FileMetadata.h>
#include <kaon/event/FrameContents.h>
#include <kaon/event/RecentFrames.h>
#include <kaon/object/RegisteredClasses.h>

#include <algorithm>

namespace kaon {

Category::Category(std::shared_ptr<const File> file, const Source& source,
                   std::shared_ptr<detail::RecentFrames> frames)
    : m_file(std::move(file)), m_source(&source), m_frames(std::move(frames)) {}

Category::Category(std::shared_ptr<const File> file, std::string_view name)
    : m_file(std::move(file)), m_source(&m_file->category(name)),
      m_frames(detail::RecentFrames::of(*m_source)) {}

Frame Category::at(std::uint64_t entry) const { return Frame(m_frames->at(m_file, entry)); }

Reader::Reader(std::shared_ptr<const File> file)
    : m_file(std::move(file)), m_frames(std::make_shared<detail::RecentFramesOfFile>()) {}

Category Reader::operator[](std::string_view category) const {
  const Source& source = m_file->category(category);
  return {m_file, source, m_frames->of(source)};
}

Reader Reader::evolved(std::vector<ModelDatatypes::Document> models) const {
  return Reader(std::make_shared<EvolvedFile>(m_file, std::move(models)));
}

Metadata Reader::metadata() const { return readMetadata(*m_file); }

const ModelDatatypes& Reader::datatypes() const { return datatypesIn(m_file); }

Category::Iterator::Iterator(const Category& category, EntryRange range)
    : m_file(category.m_file), m_source(category.m_source), m_frames(category.m_frames),
      m_entry(range.first), m_entries(std::min(range.last, category.size())) {
  if (m_entry >= m_entries)
    return;
  // The frame has pages of its own, which are fetched ahead.
  *m_frame = Frame(std::make_unique<detail::EntryReader>(m_file, *m_source, m_entry));
  reader()->readAhead(m_entries);
}

/// Returns the frame's reader; null if the user moved the frame away, cleared it, or replaced it.
inline detail::EntryReader* Category::Iterator::reader() const {
  detail::EntryReader* const reader = m_frame->isValid() ? m_frame->contents().reader() : nullptr;
  return reader && &reader->source() == m_source ? reader : nullptr;
}

Category::Iterator& Category::Iterator::operator++() {
  if (++m_entry >= m_entries)
    return *this;
  if (reader()) [[likely]]
    m_frame->contents().moveTo(m_entry);
  else
    *m_frame = Frame(m_frames->at(m_file, m_entry));
  return *this;
}

} // namespace kaon
