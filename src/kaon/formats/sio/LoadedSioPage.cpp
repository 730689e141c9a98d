#include <kaon/formats/sio/LoadedSioPage.h>

#include <utility>

namespace kaon::sio {

void LoadedSioPage::open(std::size_t number) {
  if (number == m_number)
    return;
  const EntryRange range = m_contents.entriesOf(number);
  m_number = number;
  m_entries = static_cast<std::size_t>(range.last - range.first);
  m_headers.resize(std::max(m_headers.size(), m_entries));
  m_data.resize(m_headers.size());
  for (std::size_t i = 0; i < m_headers.size(); ++i) {
    m_headers[i].clear();
    m_data[i].clear();
  }
  m_objects.assign(m_entries, {});
  m_columns.assign(m_contents.units(), nullptr);
}

const LoadedSioRecord& LoadedSioPage::load(LoadedSioRecord& record, io::ByteRange range) {
  if (!record.isLoaded())
    record.load(m_contents.container(), range,
                m_fetched.find(range.offset, range.count).value_or(std::span<const std::byte>{}));
  return record;
}

const LoadedSioRecord& LoadedSioPage::header(std::size_t entry) {
  const auto first = static_cast<std::size_t>(m_contents.entriesOf(m_number).first);
  return load(m_headers[entry], m_contents.entries()[first + entry].header);
}

const LoadedSioRecord& LoadedSioPage::data(std::size_t entry) {
  const auto first = static_cast<std::size_t>(m_contents.entriesOf(m_number).first);
  return load(m_data[entry], m_contents.entries()[first + entry].data);
}

const std::shared_ptr<UnitColumns>& LoadedSioPage::columns(std::uint32_t unit) {
  std::shared_ptr<UnitColumns>& columns = m_columns[unit];
  if (!columns) {
    auto decoded = std::make_shared<UnitColumns>(m_contents.schema(), m_contents.unit(unit));
    m_contents.decode(unit, *this, *decoded);
    columns = std::move(decoded);
  }
  return columns;
}

} // namespace kaon::sio
