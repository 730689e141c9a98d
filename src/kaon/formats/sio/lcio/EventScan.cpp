#include <kaon/formats/sio/lcio/EventScan.h>

#include <kaon/base/Damage.h>
#include <kaon/base/Error.h>
#include <kaon/formats/sio/LoadedSioRecord.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/formats/sio/lcio/EventHeader.h>
#include <kaon/formats/sio/lcio/LcioVersion.h>

#include <algorithm>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

namespace kaon::sio::lcio {
namespace {

class EventScanner {
public:
  explicit EventScanner(const SioContainer& container) : m_container(container) {}

  EventScan scan() {
    m_scan.entries = findEntries(m_container, eventHeaderRecord, eventRecord);
    for (std::size_t event = 0; event < m_scan.entries.size(); ++event)
      m_scan.entries[event].isDamaged = !unlessDamaged([&] { scanHeader(event); });
    const std::vector<std::size_t> samples = eventsToSample();
    const auto held = holdData(samples);
    for (const std::size_t event : samples)
      m_scan.entries[event].isDamaged |= !unlessDamaged([&] { scanCollections(event); });
    return std::move(m_scan);
  }

private:
  void scanHeader(std::size_t event) {
    m_record.load(m_container, m_scan.entries[event].header);
    const RecordBlock& block = m_record.get(eventHeaderBlock);
    checkVersion(m_record, block);
    BlockReader in = m_record.reader(block);
    m_header.read(in);
    for (std::size_t place = 0; place < m_header.collections.size(); ++place)
      add(m_header.collections[place], place, event, block.version);
    addKeys(in, parametersOf(block.version), m_scan.keys);
  }

  void add(const ListedCollection& listed, std::size_t place, std::size_t event,
           std::uint32_t version) {
    ScannedLcioCollection& known = find(listed, place, event, version);
    known.leastVersion = std::min(known.leastVersion, version);
    known.isMixed |= known.type != listed.type || known.isSubset != listed.isSubset;
  }

  /// Most events have the same collections in the same order.
  ScannedLcioCollection& find(const ListedCollection& listed, std::size_t place, std::size_t event,
                              std::uint32_t version) {
    auto& all = m_scan.collections;
    if (place < all.size() && all[place].name == listed.name)
      return all[place];
    const auto [number, isNew] = m_numbers.try_emplace(std::string(listed.name), all.size());
    if (isNew) {
      if (all.size() == mostCollections)
        fail(ErrorKind::version, m_container.name(), ": has more than ", mostCollections,
             " collections of different names, which kaon does not read");
      all.push_back({.name = std::string(listed.name),
                     .type = std::string(listed.type),
                     .isSubset = listed.isSubset,
                     .firstEvent = event,
                     .leastVersion = version,
                     .keys = {}});
    }
    return all[number->second];
  }

  /// Returns evenly spread events, and the first event with each collection.
  [[nodiscard]] std::vector<std::size_t> eventsToSample() const {
    std::vector<std::size_t> events = sampledEntries(m_scan.entries.size());
    for (const ScannedLcioCollection& collection : m_scan.collections)
      events.push_back(collection.firstEvent);
    std::ranges::sort(events);
    events.erase(std::ranges::unique(events).begin(), events.end());
    return events;
  }

  /// Fetches the records of these events in one request, if the file is distant.
  [[nodiscard]] std::shared_ptr<const void> holdData(std::span<const std::size_t> events) const {
    std::vector<io::ByteRange> ranges;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < events.size() && sum < m_container.options().memoryBudget / 4;
         ++i) {
      ranges.push_back(m_scan.entries[events[i]].data);
      sum += ranges.back().count;
    }
    return m_container.bytes().isDistant() ? m_container.bytes().hold(ranges) : nullptr;
  }

  void scanCollections(std::size_t event) {
    m_record.load(m_container, m_scan.entries[event].data);
    for (const RecordBlock& block : m_record.blocks()) {
      const auto known = m_numbers.find(std::string(block.name));
      if (known == m_numbers.end())
        continue;
      checkVersion(m_record, block);
      BlockReader in = m_record.reader(block);
      (void)in.get<std::uint32_t>(); // the flag
      addKeys(in, parametersOf(block.version), m_scan.collections[known->second].keys);
    }
  }

  const SioContainer& m_container;
  EventScan m_scan;
  std::unordered_map<std::string, std::size_t> m_numbers; // of collections, by name
  LoadedSioRecord m_record;
  EventHeader m_header;
};

} // namespace

EventScan scanEvents(const SioContainer& container) { return EventScanner(container).scan(); }

} // namespace kaon::sio::lcio
