#include <kaon/root/DataSource.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/files/Files.h>
#include <kaon/root/ColumnList.h>
#include <kaon/root/Slot.h>
#include <kaon/root/ValueReader.h>

#include <TClassEdit.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace kaon::root {
namespace {

/// A type as a user would write it.
std::string nameOfType(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      TClassEdit::DemangleTypeIdName(type, status), &std::free);
  return status == 0 ? name.get() : type.name();
}

} // namespace

/// The files, and the slots that read them.
class DataSource::Files {
public:
  Files(const std::vector<std::string>& paths, std::string_view category) {
    if (paths.empty())
      fail(ErrorKind::usage, "no file is named to make an RDataFrame of");
    std::uint64_t first = 0;
    for (const std::string& path : paths) {
      std::shared_ptr<const File> file = open(path);
      const Source& source = file->category(category);
      m_parts.push_back({std::move(file),
                         &source,
                         {first, first + source.entries()},
                         columnsOf(source.schema())});
      first += source.entries();
    }
  }
  ~Files() {
    for (const auto& slot : m_slots) // which the readers have, too
      slot->close();
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  [[nodiscard]] const ColumnList& columns() const noexcept { return *m_parts.front().columns; }
  [[nodiscard]] const FrameColumn& column(std::string_view name) const {
    if (const FrameColumn* const column = columns().find(name))
      return *column;
    fail(ErrorKind::name, m_parts.front().source->name(), ": has no column '", name, "'",
         suggestion(name, columns().names()));
  }

  void setSlots(unsigned int number) {
    m_slots.clear();
    for (unsigned int i = 0; i < number; ++i)
      m_slots.push_back(std::make_shared<Slot>());
  }

  [[nodiscard]] std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase>
  reader(unsigned int slot, std::string_view name, const std::type_info& type) const {
    const FrameColumn& column = this->column(name);
    auto reader = valueReader(m_slots[slot], column, type);
    if (!reader)
      fail(ErrorKind::type, m_parts.front().source->name(), ": '", name, "' is ", column.typeName(),
           ", not ", nameOfType(type));
    return reader;
  }

  /// Forgets the ranges of the last loop.
  void begin() { m_tasks.clear(); }
  /// Those of a loop over entries of all files; nothing once they were given.
  [[nodiscard]] std::vector<EntryRange> takeTasks(EntryRange wanted) {
    if (!m_tasks.empty())
      return {};
    for (const FilePart& part : m_parts)
      addTasks(part, wanted);
    return m_tasks;
  }

  void leave(unsigned int slot) { m_slots[slot]->leave(); }
  void enter(unsigned int slot, std::uint64_t entry) {
    if (m_slots[slot]->holds(entry)) [[likely]]
      return;
    const auto task = std::ranges::upper_bound(m_tasks, entry, {}, &EntryRange::first) - 1;
    const auto part = std::ranges::upper_bound(m_parts, entry, {},
                                               [](const FilePart& p) { return p.entries.first; }) -
                      1;
    m_slots[slot]->enter(*part, *task);
  }
  void end() {
    for (const auto& slot : m_slots)
      slot->close();
  }

private:
  /// Files of the same columns have the same list.
  [[nodiscard]] std::shared_ptr<const ColumnList> columnsOf(const Schema& schema) const {
    if (!m_parts.empty() && m_parts.back().source->schema() == schema)
      return m_parts.back().columns;
    return std::make_shared<const ColumnList>(schema);
  }

  /// With one slot a file is a task; with several its clusters are, or as many of them as make
  /// tasks of which each slot gets some.
  void addTasks(const FilePart& part, EntryRange wanted) {
    constexpr std::uint64_t tasksPerSlot = 16;
    const std::uint64_t entries = m_parts.back().entries.last;
    const std::uint64_t least =
        m_slots.size() == 1 ? entries : entries / (tasksPerSlot * m_slots.size());
    EntryRange task{part.entries.first, part.entries.first};
    const auto add = [&] {
      const EntryRange cut{std::max(task.first, wanted.first), std::min(task.last, wanted.last)};
      if (cut.first < cut.last)
        m_tasks.push_back(cut);
      task.first = task.last;
    };
    for (const EntryRange& cluster : part.source->clusters()) {
      task.last = part.entries.first + cluster.last;
      if (task.size() >= least)
        add();
    }
    add();
  }

  std::vector<FilePart> m_parts; // at least one
  std::vector<std::shared_ptr<Slot>> m_slots;
  std::vector<EntryRange> m_tasks; // of this loop, once they were given; ascending
};

DataSource::DataSource(const std::vector<std::string>& paths, std::string_view category)
    : m_files(std::make_unique<Files>(paths, category)) {}

DataSource::DataSource(std::string_view path, std::string_view category)
    : DataSource(std::vector<std::string>{std::string(path)}, category) {}

DataSource::~DataSource() = default;

void DataSource::SetNSlots(unsigned int slots) {
  fNSlots = slots;
  m_files->setSlots(slots);
}

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
  return {}; // so that it asks for the readers above
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

void DataSource::Initialize() { m_files->begin(); }

void DataSource::InitSlot(unsigned int slot, ULong64_t) { m_files->leave(slot); }

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

} // namespace kaon::root
