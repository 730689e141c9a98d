#include <kaon/formats/sio/SioSource.h>

#include <kaon/formats/sio/SioCursor.h>

namespace kaon::sio {

std::vector<EntryRange> SioSource::clusters() const {
  std::vector<EntryRange> ranges;
  for (std::size_t page = 0; page < m_contents->pages(); ++page)
    ranges.push_back(m_contents->entriesOf(page));
  return ranges;
}

std::unique_ptr<detail::Cursor> SioSource::cursor() const {
  return std::make_unique<SioCursor>(*m_contents);
}

} // namespace kaon::sio
