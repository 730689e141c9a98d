#include <kaon/formats/sio/SioContents.h>

#include <kaon/base/Warning.h>

#include <algorithm>

namespace kaon::sio {

SioContents::SioContents(const SioContainer& container, std::string_view category)
    : m_container(container), m_name(container.name() + ":" + std::string(category)) {}

std::size_t SioContents::pageOf(std::uint64_t entry) const noexcept {
  const auto after = std::ranges::upper_bound(m_pages, entry);
  return static_cast<std::size_t>(after - m_pages.begin()) - 1;
}

void SioContents::setEntries(std::vector<EntryRecords> entries) {
  // Small enough to read single events quickly, and to keep the columns of a page in the cache.
  constexpr std::uint64_t mostBytes = std::uint64_t{256} << 10, mostEntries = 256;
  m_entries = std::move(entries);
  m_pages = {0};
  std::uint64_t bytes = 0;
  for (std::uint64_t entry = 0; entry < m_entries.size(); ++entry) {
    if (entry > m_pages.back() &&
        (bytes + m_entries[entry].bytes > mostBytes || entry - m_pages.back() == mostEntries ||
         m_entries[entry].isDamaged || m_entries[entry - 1].isDamaged)) {
      m_pages.push_back(entry);
      bytes = 0;
    }
    bytes += m_entries[entry].bytes;
  }
  if (!m_entries.empty())
    m_pages.push_back(m_entries.size());
}

std::uint32_t SioContents::addUnit() {
  const TableNumber first = m_units.empty() ? TableNumber(0) : m_units.back().lastTable;
  if (first == m_schema.size())
    return none;
  const auto number = static_cast<std::uint32_t>(m_units.size());
  m_units.push_back({first, m_schema.size()});
  m_unitOf.resize(m_schema.size(), number);
  return number;
}

void SioContents::warnOnce(const std::string& what) const {
  if (!m_hasWarned.exchange(true))
    warn(WarningKind::unreadMember, m_name + ": " + what);
}

bool endsWithHeader(const SioContainer& container, std::string_view suffix) {
  const SioRecordLocator& last = container.records().back();
  if (!container.nameOf(last).ends_with(suffix))
    return false;
  if (container.isComplete())
    warn(WarningKind::incompleteFile,
         container.where(last.range.offset) +
             ": is the header of an entry whose data are missing: the file was cut, or not "
             "finished; the data before it are read");
  return true;
}

std::vector<EntryRecords> findEntries(const SioContainer& container, std::string_view header,
                                      std::string_view data) {
  std::vector<EntryRecords> entries;
  const auto records = container.records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string& name = container.nameOf(records[i]);
    if (name == data)
      fail(ErrorKind::corrupt, container.where(records[i].range.offset), ": '", data,
           "' comes without '", header, "' before it; the file is damaged");
    if (name != header)
      continue;
    if (i + 1 == records.size())
      break; // the file was truncated there
    if (container.nameOf(records[i + 1]) != data)
      fail(ErrorKind::corrupt, container.where(records[i].range.offset), ": '", header,
           "' comes without '", data, "' behind it; the file is damaged");
    entries.push_back({records[i].range, records[i + 1].range,
                       std::uint64_t{records[i].bytes} + records[i + 1].bytes});
    ++i;
  }
  return entries;
}

std::vector<std::size_t> sampledEntries(std::size_t entries) {
  constexpr std::size_t most = 64;
  std::vector<std::size_t> samples;
  const std::size_t count = std::min(entries, most);
  for (std::size_t i = 0; i < count; ++i)
    samples.push_back(i * (entries - 1) / std::max<std::size_t>(count - 1, 1));
  return samples;
}

} // namespace kaon::sio
