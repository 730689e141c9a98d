#include <kaon/formats/hipo/LoadedHipoRecord.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/formats/hipo/Compression.h>
#include <kaon/formats/hipo/PayloadReader.h>

#include <algorithm>
#include <sstream>

namespace kaon::hipo {

void LoadedHipoRecord::clearWanted() noexcept {
  for (const std::uint32_t form : m_wanted)
    m_forms[form].isWanted = false;
  m_wanted.clear();
  m_isCurrent = false;
}

void LoadedHipoRecord::want(std::uint32_t form) {
  if (m_forms[form].isWanted)
    return;
  m_forms[form].isWanted = true;
  m_wanted.push_back(form);
  m_isCurrent = false;
}

void LoadedHipoRecord::failEvent(std::size_t event, const std::string& what) const {
  const HipoRecordLocator& place = m_contents.container().records()[m_number];
  const std::string where = m_contents.container().where(place);
  fail(ErrorKind::corrupt, where, ", entry ", place.firstEntry + event, ": ", what,
       "; the file is damaged");
}

/// Keeps the first structure that has no table.
void LoadedHipoRecord::meetStranger(std::uint32_t event, const Structure& structure) {
  if (!m_stranger.empty() || m_contents.tables().isRefused(structure.key))
    return;
  std::ostringstream text;
  text << groupOf(structure.key) << '/' << itemOf(structure.key) << " of type "
       << unsigned{structure.type} << " in entry "
       << m_contents.container().records()[m_number].firstEntry + event;
  m_stranger = text.str();
}

void LoadedHipoRecord::failStructure(std::uint32_t event, const RowForm& form,
                                     const Structure& structure) const {
  const HipoRecordLocator& place = m_contents.container().records()[m_number];
  std::ostringstream text;
  text << m_contents.container().where(place) << ", entry " << place.firstEntry + event
       << ": structure " << groupOf(form.key) << '/' << itemOf(form.key);
  if (form.type != 0 && (structure.type != form.type || structure.format != form.format))
    fail(ErrorKind::version, text.str(),
         " has another type or format than the first one; kaon reads structures of one format");
  fail(ErrorKind::corrupt, text.str(), " has ", counted(structure.bytes, "byte"),
       ", but its rows have ", form.rowBytes, "; the file is damaged");
}

inline void LoadedHipoRecord::add(std::uint32_t number, std::uint32_t event,
                                  const Structure& structure) {
  const RowForm& form = m_contents.tables().forms()[number];
  const std::uint32_t rows = structure.bytes / form.rowBytes;
  if (rows * form.rowBytes != structure.bytes ||
      (form.type != 0 && (structure.type != form.type || structure.format != form.format)))
      [[unlikely]]
    failStructure(event, form, structure);
  m_forms[number].pieces.push_back(
      {event, static_cast<std::uint32_t>(structure.data - m_payload->bytes.data()), rows});
}

/// Finds the structures of all requested forms.
template <bool isSwapped>
void LoadedHipoRecord::index() {
  for (const std::uint32_t form : m_wanted)
    m_forms[form].pieces.clear();
  constexpr std::uint32_t ahead = 8; // events too far apart for the processor's prefetcher
  const KeyIndex& keys = m_contents.tables().keys();
  const std::byte* const payload = m_payload->bytes.data();
  const auto events = static_cast<std::uint32_t>(m_payload->events);
  std::uint32_t event = 0;
  const auto take = [&](const Structure& structure) {
    const std::uint32_t number = keys.find(structure.key);
    if (number == KeyIndex::none) [[unlikely]]
      meetStranger(event, structure);
    else if (m_forms[number].isWanted)
      add(number, event, structure);
  };
  for (; event < events; ++event) {
    __builtin_prefetch(payload + m_payload->begins[std::min(event + ahead, events)]);
    if (!forStructures<isSwapped>(m_payload->event(event), take))
      failEvent(event, "a structure of the event ends behind it");
  }
}

void LoadedHipoRecord::load(std::size_t number, std::size_t events,
                            std::span<const std::byte> bytes) {
  const HipoRecordLocator& place = m_contents.container().records()[number];
  const std::string where = m_contents.container().where(place);
  const auto header = readRecordHeader(bytes);
  if (!header || header->bytes > bytes.size())
    fail(ErrorKind::corrupt, where, ": is missing, or its header is damaged");
  if (header->events != place.events)
    fail(ErrorKind::corrupt, where, ": has ", counted(header->events, "event"),
         ", but the index says ", place.events, "; the file is damaged");
  m_isCurrent = false;
  // Keeps the loaded payload if all events are one stream. Then only further forms must be found.
  const auto type = recordType(header->compression);
  const bool isWhole = type && type->form == RecordForm::whole;
  Buffer copy;
  if (!isWhole && m_contents.container().bytes().isMapped()) { // they are read more than once
    copy.append(bytes);
    bytes = copy.bytes();
  }
  if (m_number != number || m_payload->events < events || !isWhole) {
    m_number = none;
    m_payload = isWhole ? m_contents.payloads().find(number) : nullptr;
    if (!m_payload) {
      m_payload = decompressed(*header, events, bytes, where);
      m_contents.container().bytes().checkUnchanged(); // before other readers get it
      if (isWhole && m_payload->events == place.events)
        m_contents.payloads().add(number, m_payload);
    }
    m_number = number;
  }
  if (m_payload->isSwapped)
    index<true>();
  else
    index<false>();
  m_isCurrent = true;
}

std::shared_ptr<const Payload> LoadedHipoRecord::decompressed(const HipoRecordHeader& header,
                                                              std::size_t events,
                                                              std::span<const std::byte> bytes,
                                                              const std::string& where) const {
  const KeyIndex& keys = m_contents.tables().keys();
  const auto isWanted = [&](std::uint32_t key) {
    const std::uint32_t form = keys.find(key);
    return form != KeyIndex::none && m_forms[form].isWanted;
  };
  auto payload = std::make_shared<Payload>();
  readPayload(header, bytes, events, isWanted, where, *payload);
  return payload;
}

} // namespace kaon::hipo
