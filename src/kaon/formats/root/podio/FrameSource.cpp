#include <kaon/formats/root/podio/FrameSource.h>

#include <kaon/formats/root/podio/FrameCursor.h>

namespace kaon::root::podio {

std::unique_ptr<Cursor> FrameSource::cursor() const {
  return std::make_unique<FrameCursor>(m_stored, m_tables);
}

std::optional<ColumnUsage> FrameSource::usage(std::uint32_t column) const {
  return m_stored.usage(m_tables.origins[column].column);
}

} // namespace kaon::root::podio
