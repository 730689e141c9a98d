#include <kaon/root/DataSource.h>

#include <kaon/root/DataSourceFiles.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace kaon::root {

using ROOT::RDF::Experimental::RDatasetSpec;

DataSource::DataSource(const std::vector<std::string>& paths, std::string_view category)
    : m_files(std::make_unique<DataSourceFiles>(paths, std::string(category))) {}

DataSource::DataSource(std::string_view path, std::string_view category)
    : DataSource(std::vector<std::string>{std::string(path)}, category) {}

DataSource::DataSource(RDatasetSpec specification)
    : m_files(std::make_unique<DataSourceFiles>(ROOT::Internal::RDF::MoveOutSamples(specification),
                                                std::as_const(specification).GetFriendInfo())) {
  const Long64_t first = specification.GetEntryRangeBegin();
  const Long64_t last = specification.GetEntryRangeEnd();
  const bool isToTheEnd = last == std::numeric_limits<Long64_t>::max();
  if (first != 0 || !isToTheEnd)
    SetGlobalEntryRange(
        {static_cast<ULong64_t>(first),
         isToTheEnd ? std::max<ULong64_t>(static_cast<ULong64_t>(first), m_files->entries())
                    : static_cast<ULong64_t>(last)});
}

DataSource::~DataSource() = default;

void DataSource::SetNSlots(unsigned int slots) {
  fNSlots = slots;
  m_files->setSlots(slots);
}

std::size_t DataSource::GetNFiles() const { return m_files->size(); }

const std::vector<std::string>& DataSource::GetColumnNames() const {
  return m_files->columns().names();
}

bool DataSource::HasColumn(std::string_view name) const {
  return m_files->columns().find(name) != nullptr;
}

std::string DataSource::GetTypeName(std::string_view name) const {
  return m_files->column(name).typeName();
}

std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase>
DataSource::GetColumnReaders(unsigned int slot, std::string_view name, const std::type_info& type) {
  return m_files->reader(slot, name, type);
}

DataSource::Record_t DataSource::GetColumnReadersImpl(std::string_view, const std::type_info&) {
  return {}; // empty, so that RDataFrame calls GetColumnReaders()
}

std::vector<std::pair<ULong64_t, ULong64_t>> DataSource::GetEntryRanges() {
  EntryRange wanted;
  if (fGlobalEntryRange)
    wanted = {fGlobalEntryRange->first, fGlobalEntryRange->second};
  std::vector<std::pair<ULong64_t, ULong64_t>> ranges;
  for (const EntryRange& task : m_files->takeTasks(wanted))
    ranges.emplace_back(task.first, task.last);
  return ranges;
}

void DataSource::Initialize() { m_files->begin({}); }

void DataSource::InitializeWithOpts(const std::set<std::string>& mayBeMissing) {
  m_files->begin(mayBeMissing);
}

void DataSource::InitSlot(unsigned int slot, ULong64_t firstEntry) {
  m_files->leave(slot, firstEntry);
}

ROOT::RDF::RSampleInfo DataSource::CreateSampleInfo(
    unsigned int slot,
    const std::unordered_map<std::string, ROOT::RDF::Experimental::RSample*>&) const {
  return m_files->sample(slot);
}

bool DataSource::SetEntry(unsigned int slot, ULong64_t entry) {
  m_files->enter(slot, entry);
  return true;
}

void DataSource::Finalize() { m_files->end(); }

ROOT::RDataFrame dataFrame(const std::string& path, const std::string& category) {
  return ROOT::RDataFrame(std::make_unique<DataSource>(path, category));
}

ROOT::RDataFrame dataFrame(const std::vector<std::string>& paths, const std::string& category) {
  return ROOT::RDataFrame(std::make_unique<DataSource>(paths, category));
}

ROOT::RDataFrame dataFrame(const RDatasetSpec& specification) {
  return ROOT::RDataFrame(std::make_unique<DataSource>(specification));
}

} // namespace kaon::root
