#include <kaon/formats/hipo/HipoContents.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/hipo/PayloadReader.h>

#include <set>

namespace kaon::hipo {
namespace {

/// Returns the first and last record, and the first one of each tag, because events with other tags
/// may have other structures.
std::vector<std::size_t> samplesOf(std::span<const HipoRecordLocator> records) {
  constexpr std::size_t most = 8;
  std::vector<std::size_t> samples;
  std::set<std::uint64_t> tags;
  for (std::size_t number = 0; number < records.size() && samples.size() < most; ++number)
    if (tags.insert(records[number].tag).second)
      samples.push_back(number);
  if (!records.empty() && samples.back() != records.size() - 1)
    samples.push_back(records.size() - 1);
  return samples;
}

} // namespace

HipoContents::HipoContents(const HipoContainer& container)
    : m_container(container), m_name(container.name() + ":" + std::string(eventsCategory)),
      m_tables(container.dictionary()) {
  findStructures();
}

void HipoContents::findStructures() {
  Payload payload;
  Buffer scratch;
  for (const std::size_t number : samplesOf(m_container.records())) {
    const HipoRecordLocator& place = m_container.records()[number];
    const auto bytes = m_container.bytes().view(place.position, place.bytes, scratch);
    try {
      const auto header = readRecordHeader(bytes);
      if (!header || header->bytes > bytes.size() || header->events != place.events)
        continue; // damaged; reported when its events are read
      readPayload(
          *header, bytes, header->events, [](std::uint32_t) { return true; },
          m_container.where(place), payload);
      m_tables.addStructures(payload);
      m_hasStoredEvents &= payload.isAsStored;
    } catch (const Error& error) { // damaged; reported when its events are read
      if (error.kind() == ErrorKind::io)
        throw;
    }
  }
}

void HipoContents::warnOf(const std::string& stranger) const {
  if (!m_hasWarned.exchange(true))
    warn(WarningKind::unreadMember,
         m_name + ": structure " + stranger + " is neither in the dictionary nor in the records " +
             "that kaon reads when it opens a file; structures like this are not read");
}

} // namespace kaon::hipo
