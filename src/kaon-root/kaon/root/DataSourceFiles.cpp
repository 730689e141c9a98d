#include <kaon/root/DataSourceFiles.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/FileWithFriends.h>
#include <kaon/root/ValueReader.h>

#include <TClassEdit.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace kaon::root {
namespace {

using ROOT::RDF::Experimental::RSample;

/// Returns the name of a type as users write it.
std::string nameOfType(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      TClassEdit::DemangleTypeIdName(type, status), &std::free);
  return status == 0 ? name.get() : type.name();
}

/// Returns the files of a friend in order. Each is joined to one file of the samples.
std::vector<Friend> filesOf(const ROOT::TreeUtils::RFriendInfo& friends, std::size_t number) {
  const auto& [tree, alias] = friends.fFriendNames[number];
  const auto& trees = friends.fFriendChainSubNames[number];
  const auto& patterns = friends.fFriendFileNames[number];
  std::vector<Friend> files;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::string& category = i < trees.size() ? trees[i] : tree;
    const Dataset matching({patterns[i]}, category);
    for (std::size_t file = 0; file < matching.files(); ++file)
      files.push_back({.name = !alias.empty()  ? alias
                               : !tree.empty() ? tree
                                               : category,
                       .file = matching.open(file),
                       .category = category});
  }
  return files;
}

} // namespace

DataSourceFiles::DataSourceFiles(const std::vector<std::string>& paths,
                                 const std::string& category) {
  for (const std::string& path : paths)
    add(path, category, nullptr);
  describeParts();
}

DataSourceFiles::DataSourceFiles(std::vector<RSample> samples,
                                 const ROOT::TreeUtils::RFriendInfo& friends)
    : m_samples(std::move(samples)) {
  for (const RSample& sample : m_samples) {
    if (sample.GetFileNameGlobs().empty()) // ROOT has expanded the patterns already
      fail(ErrorKind::missing, "the sample '", sample.GetSampleName(),
           "': no file matches its patterns");
    for (std::size_t i = 0; i < sample.GetFileNameGlobs().size(); ++i)
      add(sample.GetFileNameGlobs()[i], sample.GetTreeNames()[i], &sample);
  }
  addFriends(friends);
  describeParts();
}

DataSourceFiles::~DataSourceFiles() {
  for (const auto& slot : m_slots) // readers own the slots, too, and may outlive this
    slot->close();
}

void DataSourceFiles::add(const std::string& pattern, const std::string& category,
                          const RSample* sample) {
  const Dataset files({pattern}, category);
  for (std::size_t i = 0; i < files.files(); ++i)
    m_parts.push_back({.file = files.open(i),
                       .category = category,
                       .id = files.paths()[i] + '/' + category,
                       .sample = sample});
}

void DataSourceFiles::addFriends(const ROOT::TreeUtils::RFriendInfo& friends) {
  std::vector<std::vector<Friend>> friendsOf(m_parts.size()); // by file
  for (std::size_t number = 0; number < friends.fFriendNames.size(); ++number) {
    std::vector<Friend> files = filesOf(friends, number);
    if (files.size() != m_parts.size())
      fail(ErrorKind::usage, "the friend '", files.empty() ? "" : files.front().name, "' has ",
           counted(files.size(), "file"), ", but the samples have ", m_parts.size(),
           ": kaon joins friends file by file");
    for (std::size_t i = 0; i < files.size(); ++i)
      friendsOf[i].push_back(std::move(files[i]));
  }
  for (std::size_t i = 0; i < m_parts.size(); ++i)
    if (!friendsOf[i].empty())
      m_parts[i].file = std::make_shared<const FileWithFriends>(
          m_parts[i].file, m_parts[i].category, std::move(friendsOf[i]));
}

/// Sets the sources, entries and columns of the files. Files with the same schema share their list
/// of columns.
void DataSourceFiles::describeParts() {
  if (m_parts.empty())
    fail(ErrorKind::usage, "an RDataFrame needs at least one file");
  const FilePart* before = nullptr;
  std::uint64_t first = 0;
  for (FilePart& part : m_parts) {
    part.source = &part.file->category(part.category);
    part.entries = {first, first + part.source->entries()};
    first = part.entries.last;
    const Schema& schema = part.source->schema();
    part.columns = before && before->source->schema() == schema
                       ? before->columns
                       : std::make_shared<const ColumnList>(schema);
    if (!before)
      m_columns = *part.columns;
    else if (part.columns != before->columns)
      m_columns->add(*part.columns);
    before = &part;
  }
}

const FrameColumn& DataSourceFiles::column(std::string_view name) const {
  if (const FrameColumn* const column = columns().find(name))
    return *column;
  fail(ErrorKind::name, m_parts.front().source->name(), ": has no column '", name, "'",
       suggestion(name, columns().names()));
}

void DataSourceFiles::setSlots(unsigned int number) {
  m_slots.clear();
  for (unsigned int i = 0; i < number; ++i)
    m_slots.push_back(std::make_shared<Slot>());
  m_firstEntries.assign(number, 0);
}

std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase>
DataSourceFiles::reader(unsigned int slot, std::string_view name,
                        const std::type_info& type) const {
  const FrameColumn& column = this->column(name);
  auto reader = valueReader(m_slots[slot], column, type);
  if (!reader)
    fail(ErrorKind::type, m_parts.front().source->name(), ": '", name, "' is ", column.typeName(),
         ", not ", nameOfType(type));
  return reader;
}

void DataSourceFiles::begin(const std::set<std::string>& mayBeMissing) {
  m_nextPart = 0;
  m_tasks.clear();
  for (const auto& slot : m_slots)
    slot->begin(mayBeMissing);
}

std::vector<EntryRange> DataSourceFiles::takeTasks(EntryRange wanted) {
  std::vector<EntryRange> tasks;
  const bool isOneByOne = m_slots.size() == 1;
  while (m_nextPart < m_parts.size() && (tasks.empty() || !isOneByOne))
    addTasks(m_parts[m_nextPart++], wanted, tasks);
  if (isOneByOne && !tasks.empty())
    m_firstEntries.front() = tasks.front().first;
  m_tasks.insert(m_tasks.end(), tasks.begin(), tasks.end());
  return tasks;
}

/// Adds the tasks of a file. With one slot, a file is one task. With several slots, clusters are
/// merged into tasks so that each slot gets several of them.
void DataSourceFiles::addTasks(const FilePart& part, EntryRange wanted,
                               std::vector<EntryRange>& tasks) const {
  constexpr std::uint64_t tasksPerSlot = 16;
  const std::uint64_t least =
      m_slots.size() == 1 ? entries() : entries() / (tasksPerSlot * m_slots.size());
  EntryRange task{part.entries.first, part.entries.first};
  const auto add = [&] {
    const EntryRange cut{std::max(task.first, wanted.first), std::min(task.last, wanted.last)};
    if (cut.first < cut.last)
      tasks.push_back(cut);
    task.first = task.last;
  };
  for (const EntryRange& cluster : part.source->clusters()) {
    task.last = part.entries.first + cluster.last;
    if (task.size() >= least)
      add();
  }
  add();
}

const FilePart& DataSourceFiles::partWith(std::uint64_t entry) const {
  return *(std::ranges::upper_bound(m_parts, entry, {},
                                    [](const FilePart& part) { return part.entries.first; }) -
           1);
}

const EntryRange& DataSourceFiles::taskWith(std::uint64_t entry) const {
  return *(std::ranges::upper_bound(m_tasks, entry, {}, &EntryRange::first) - 1);
}

void DataSourceFiles::leave(unsigned int slot, std::uint64_t firstEntry) {
  m_firstEntries[slot] = firstEntry;
  m_slots[slot]->leave();
}

void DataSourceFiles::enterTask(unsigned int slot, std::uint64_t entry) {
  m_slots[slot]->enter(partWith(entry), taskWith(entry));
}

ROOT::RDF::RSampleInfo DataSourceFiles::sample(unsigned int slot) const {
  if (m_tasks.empty())
    return {}; // no entries
  const std::uint64_t entry = m_firstEntries[slot];
  const FilePart& part = partWith(entry);
  const EntryRange& task = taskWith(entry);
  const std::uint64_t first = part.entries.first;
  return {part.id, {task.first - first, task.last - first}, part.sample, part.entries.size()};
}

void DataSourceFiles::end() {
  for (const auto& slot : m_slots)
    slot->close();
}

} // namespace kaon::root
