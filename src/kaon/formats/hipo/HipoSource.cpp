#include <kaon/formats/hipo/HipoSource.h>

#include <kaon/formats/hipo/HipoCursor.h>

namespace kaon::hipo {

std::vector<EntryRange> HipoSource::clusters() const {
  std::vector<EntryRange> ranges;
  for (const RecordPlace& place : m_contents.container().records())
    ranges.push_back({place.firstEntry, place.lastEntry()});
  return ranges;
}

std::unique_ptr<Cursor> HipoSource::cursor() const {
  return std::make_unique<HipoCursor>(m_contents);
}

} // namespace kaon::hipo
