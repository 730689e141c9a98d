#include <kaon/reading/PlannedReads.h>

#include <kaon/base/Error.h>

#include <utility>

namespace kaon {

PlannedReads::PlannedReads(const io::ByteSource& bytes, std::uint64_t budget, PortionAt portionAt)
    : m_bytes(bytes), m_budget(budget), m_portionAt(std::move(portionAt)) {}

void PlannedReads::plan(EntrySelection entries) {
  m_planned = std::move(entries);
  m_portion = m_next = {};
}

std::shared_ptr<const void> PlannedReads::hold() const {
  if (!m_bytes.isDistant())
    return nullptr;
  std::vector<io::ByteRange> ranges;
  std::uint64_t left = m_budget;
  for (std::uint64_t entry = m_planned.hull().first; entry < m_planned.hull().last;) {
    const Portion portion = m_portionAt(entry);
    const std::uint64_t bytes = io::bytesIn(portion.ranges);
    if (bytes > left)
      break;
    left -= bytes;
    ranges.insert(ranges.end(), portion.ranges.begin(), portion.ranges.end());
    entry = m_planned.runFrom(portion.entries.last).first;
  }
  return m_bytes.hold(ranges);
}

void PlannedReads::begin(std::uint64_t entry) {
  const bool isNext = m_next.contains(entry);
  m_portion = isNext ? std::exchange(m_next, {}) : m_portionAt(entry);
  m_isAnnounced = isNext;
}

void PlannedReads::load() {
  if (!m_isAnnounced || !m_bytes.inPlace())
    fetch(m_portion.ranges);
}

std::vector<std::span<const std::byte>> PlannedReads::fetch(std::span<const io::ByteRange> ranges) {
  if (!m_bytes.inPlace())
    return m_fetched.fetch(m_bytes, ranges);
  m_bytes.prefetch(ranges);
  return {};
}

void PlannedReads::announceNext() {
  m_next = {};
  const std::uint64_t entry = m_planned.runFrom(m_portion.entries.last).first;
  if (entry >= m_planned.hull().last)
    return;
  try {
    m_next = m_portionAt(entry);
    m_bytes.prefetch(m_next.ranges);
  } catch (const Error&) { // reported when the portion is read
  }
}

bool PlannedReads::extend(Portion& portion, EntryRange entries,
                          std::span<const io::ByteRange> ranges) const {
  if (entries.first >= m_planned.hull().last)
    return false;
  if (isPlanned(entries)) {
    const std::uint64_t bytes = io::bytesIn(ranges);
    if (!portion.ranges.empty() && portion.bytes + bytes > m_budget)
      return false;
    portion.bytes += bytes;
    portion.ranges.insert(portion.ranges.end(), ranges.begin(), ranges.end());
  }
  if (portion.entries.size() == 0)
    portion.entries.first = entries.first;
  portion.entries.last = entries.last;
  return true;
}

} // namespace kaon
