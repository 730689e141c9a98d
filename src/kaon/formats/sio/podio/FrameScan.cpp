#include <kaon/formats/sio/podio/FrameScan.h>

#include <kaon/base/Damage.h>
#include <kaon/base/Error.h>
#include <kaon/formats/sio/LoadedSioRecord.h>
#include <kaon/formats/sio/SioRecord.h>

#include <algorithm>
#include <unordered_map>

namespace kaon::sio::podio {
namespace {

class FrameScanner {
public:
  explicit FrameScanner(const SioContainer& container) : m_container(container) {}

  FrameScan scan(std::string_view category) {
    m_scan.entries = findEntries(m_container, std::string(category).append(headerSuffix), category);
    for (EntryRecords& entry : m_scan.entries)
      entry.isDamaged = !unlessDamaged([&] { scanHeader(entry); });
    for (const std::size_t number : sampledEntries(m_scan.entries.size())) {
      EntryRecords& entry = m_scan.entries[number];
      entry.isDamaged |= !unlessDamaged([&] { scanParameters(entry); });
    }
    return std::move(m_scan);
  }

private:
  void scanHeader(const EntryRecords& entry) {
    m_record.load(m_container, entry.header);
    const RecordBlock& block = m_record.get(headerBlock);
    BlockReader in = m_record.reader(block);
    m_names.resize(in.count(sizeof(std::uint32_t)));
    for (std::string_view& name : m_names)
      name = in.text();
    const std::byte* const ids = run<std::uint32_t>(in);
    m_types.resize(count(in));
    for (std::string_view& type : m_types)
      type = in.text();
    const bool hasSubsets = block.version >= blockVersion(0, 2);
    const std::byte* const subsets = hasSubsets ? run<std::uint16_t>(in) : nullptr;
    in.checkEnd();
    for (std::size_t i = 0; i < m_names.size(); ++i)
      add(i, loadBigEndian<std::uint32_t>(ids + 4 * i),
          hasSubsets && loadBigEndian<std::uint16_t>(subsets + 2 * i) != 0);
  }

  /// All lists have one element for each collection.
  [[nodiscard]] std::size_t count(BlockReader& in) const {
    if (in.get<std::uint32_t>() != m_names.size())
      in.failHere("has lists of different lengths");
    return m_names.size();
  }
  template <class T>
  [[nodiscard]] const std::byte* run(BlockReader& in) const {
    return in.take(sizeof(T) * count(in));
  }

  void add(std::size_t number, std::uint32_t id, bool isSubset) {
    auto& all = m_scan.collections;
    const auto [known, isNew] = m_numbers.try_emplace(std::string(m_names[number]), all.size());
    if (isNew) {
      if (all.size() == mostCollections)
        fail(ErrorKind::version, m_container.name(), ": has more than ", mostCollections,
             " collections of different names, which kaon does not read");
      all.push_back({std::string(m_names[number]), id, std::string(m_types[number]), isSubset});
    }
    ScannedPodioCollection& collection = all[known->second];
    collection.isMixed |= collection.type != m_types[number] || collection.isSubset != isSubset ||
                          collection.id != id;
  }

  void scanParameters(const EntryRecords& entry) {
    m_record.load(m_container, entry.data);
    const RecordBlock& block = m_record.get(parameterBlock);
    BlockReader in = m_record.reader(block);
    addKeys(in, parametersOf(block.version), m_scan.keys);
  }

  const SioContainer& m_container;
  FrameScan m_scan;
  std::unordered_map<std::string, std::size_t> m_numbers; // of collections, by name
  LoadedSioRecord m_record;
  std::vector<std::string_view> m_names, m_types;
};

} // namespace

std::vector<std::string> categoriesOf(const SioContainer& container) {
  std::vector<std::string> categories;
  for (const SioRecordLocator& record : container.records()) {
    std::string_view name = container.nameOf(record);
    if (!name.ends_with(headerSuffix) || name == headerSuffix)
      continue;
    name.remove_suffix(headerSuffix.size());
    if (std::ranges::find(categories, name) == categories.end())
      categories.emplace_back(name);
  }
  return categories;
}

FrameScan scanFrames(const SioContainer& container, std::string_view category) {
  return FrameScanner(container).scan(category);
}

std::span<const ParameterType> parametersOf(std::uint32_t version) {
  if (version >= blockVersion(0, 2))
    return podioParameters;
  return oldPodioParameters;
}

} // namespace kaon::sio::podio
