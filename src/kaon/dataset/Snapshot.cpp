#include <kaon/dataset/Snapshot.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/batch/Provenance.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/detail/files/FileModels.h>
#include <kaon/files/Files.h>
#include <kaon/files/Format.h>
#include <kaon/selecting/SelectedRows.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace kaon {
namespace {

std::set<std::string, std::less<>> namesOf(const Schema& schema,
                                           std::span<const std::uint32_t> tables) {
  std::set<std::string, std::less<>> names;
  for (const TableNumber table : tables)
    names.emplace(schema.table(table).name);
  return names;
}

} // namespace

SnapshotFile::SnapshotFile(std::string path, std::string category, WriterOptions options,
                           std::shared_ptr<const Dataset> dataset,
                           std::span<const std::uint32_t> tables,
                           std::vector<SnapshotColumn> columns, bool isOfAll)
    : m_path(std::move(path)), m_category(std::move(category)), m_options(std::move(options)),
      m_dataset(std::move(dataset)), m_copied(namesOf(m_dataset->schema(), tables)),
      m_columns(std::move(columns)), m_plan(planFor(m_dataset->schema())), m_isOfAll(isOfAll) {
  if (m_category.empty())
    m_category = m_dataset->category();
  std::error_code ignored; // The file does not exist yet.
  for (const std::string& read : m_dataset->paths())
    if (std::filesystem::equivalent(read, m_path, ignored))
      fail(ErrorKind::usage, m_path, ": is one of the files to be read; write to another one");
  checkFormat();
}

/// Returns the plan for files whose first one has this schema.
SnapshotPlan SnapshotFile::planFor(const Schema& schema) const {
  std::vector<std::uint32_t> tables;
  for (TableNumber number = 0; number < schema.size(); ++number)
    if (schema.table(number).isRoot() && m_copied.contains(schema.table(number).name))
      tables.push_back(number);
  SnapshotPlan plan(schema, tables);
  plan.add(m_columns);
  return plan;
}

bool SnapshotFile::leaveOut(const UnreadableColumns& error) {
  if (!m_isOfAll || !m_unreadable.add(error))
    return false;
  const std::shared_ptr<const File> first = m_unreadable.removeFrom(m_dataset->open(0));
  m_plan = planFor(first->category(m_dataset->category()).schema());
  return m_plan.schema().size() > 0;
}

/// Checks the format before anything is read, because a pass may take hours.
void SnapshotFile::checkFormat() const {
  const Format& format = formatToWrite(m_path, m_options.format);
  if (!format.losses)
    return;
  std::vector<ModelDatatypes::Document> models;
  if (m_plan.hasCopies())
    models = detail::modelsIn(*m_dataset->open(0));
  const Schema& schema = m_plan.schema();
  for (const detail::Loss& loss : format.losses(category(), schema, models))
    fail(ErrorKind::usage, m_path, ": files of this format cannot hold '",
         loss.member ? schema.nameOfMember(loss.table, *loss.member)
                     : std::string(schema.table(loss.table).name),
         "': ", loss.reason, "; leave it out, or write a .kaon file");
}

/// Creates the file for the first entries, with the models and other documents of the first file.
BatchWriter& SnapshotFile::writer() {
  if (m_writer)
    return *m_writer;
  m_writer.emplace(batchWriter(m_path, m_options));
  const std::shared_ptr<const File> first = m_dataset->open(0);
  if (m_plan.hasCopies())
    for (const std::string& name : first->documents()) {
      const bool isMetadata = name == detail::metadataDocument; // finish() writes that of all files
      if (!isMetadata || m_options.copyMetadata)
        m_writer->putDocument(name, first->document(name));
      m_hasMetadata |= isMetadata;
    }
  m_writer->writeCopy(category(), JoinedBatch(m_plan.schema()).batch(0)); // defines the tables
  return *m_writer;
}

/// Returns the numbers of a source's tables in the plan's copies().
std::vector<std::uint32_t> SnapshotFile::copiesIn(const Source& source) const {
  std::vector<std::uint32_t> numbers;
  try {
    numbers = m_plan.numbersOf(source.schema());
  } catch (const Error& error) {
    fail(error.kind(), source.name(), ": ", error.what());
  }
  const Schema& copies = m_plan.copies();
  for (TableNumber table = 0; table < copies.size(); ++table) {
    if (!copies.table(table).isRoot() || std::ranges::find(numbers, table) != numbers.end())
      continue;
    const std::string_view name = copies.table(table).name;
    const auto isThere = [&](std::uint32_t number) { // as a parameter of another type
      return number != Table::none && copies.table(number).name == name;
    };
    if (std::ranges::any_of(numbers, isThere))
      continue;
    const std::string& first = m_dataset->first().name();
    if (source.schema().find(name) != Table::none)
      fail(ErrorKind::type, source.name(), ": '", name, "' is of another type than in ", first);
    if (!m_isOfAll || copies.table(table).kind == TableKind::value)
      fail(ErrorKind::name, source.name(), ": has no '", name, "', but ", first,
           " has it; the dataset's option missing=\"none\" makes it None there");
  }
  return numbers;
}

std::vector<std::uint32_t> SnapshotFile::numbersOf(const Source& source) {
  std::vector<std::uint32_t> numbers = copiesIn(source);
  warnOfLeftOut(source, numbers);
  return numbers;
}

void SnapshotFile::check(const Source& source) const {
  if (m_plan.hasCopies())
    (void)copiesIn(source);
}

void SnapshotFile::warnOfLeftOut(const Source& source, std::span<const std::uint32_t> numbers) {
  const std::lock_guard lock(m_warningMutex);
  const Schema& schema = source.schema();
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    const bool isWanted = table.kind == TableKind::decoration
                              ? m_plan.copies().find(schema.table(table.parent).name) != Table::none
                              : table.isRoot() && m_isOfAll;
    const bool isOfOtherType =
        table.kind == TableKind::parameter && m_plan.copies().find(table.name) != Table::none;
    if (isWanted && numbers[number] == Table::none &&
        (isOfOtherType || m_plan.schema().find(table.name) == Table::none) &&
        m_leftOut.emplace(table.name).second)
      warn(WarningKind::unreadMember,
           source.name() + ": '" + std::string(table.name) +
               "' is left out, because the first file does not have it; a train or `kaon skim` "
               "writes the columns that any file has");
  }
  if (!m_isOfAll)
    return;
  bool isNew = false;
  for (const Unreadable& each : source.unreadable())
    isNew |= m_unread.insert(each.name).second;
  if (isNew)
    warnOfUnreadable(source, "are left out");
}

void SnapshotFile::write(const detail::DatasetPart& part, const Batch& batch) {
  m_order.waitFor(part.number, m_path);
  writer().writeCopy(category(), batch);
}

void SnapshotFile::writeLast(const detail::DatasetPart& part, const Batch& batch) {
  write(part, batch);
  m_metadata.addSource(*part.file, *part.source, category());
  // Some documents have the names of parents that entries refer to.
  for (const std::string& name : part.file->documents())
    if (const auto id = idOfSource(name); id && m_plan.hasCopies() && m_parents.insert(*id).second)
      writer().putDocument(name, part.file->document(name));
  if (part.firstCluster == 0)
    m_missing.add(*part.source);
  m_order.next();
}

void SnapshotFile::finish() {
  BatchWriter& out = writer();
  if (const auto text = m_metadata.document(m_path);
      m_options.copyMetadata && (text || m_hasMetadata))
    out.putDocument(detail::metadataDocument, text.value_or("{}"));
  out.finish();
  m_writer.reset();
  for (const Table& table : m_plan.copies().tables())
    m_missing.warnOf(table.name);
}

void SnapshotFile::abandon() noexcept {
  if (m_writer)
    m_writer->abandon();
  m_writer.reset();
  m_metadata = WrittenMetadata();
  m_missing = detail::MissingDecorations();
  m_hasMetadata = false;
  m_order.reset();
}

SnapshotAccumulator::SnapshotAccumulator(std::shared_ptr<SnapshotFile> file)
    : m_file(std::move(file)), m_gathered(m_file->plan().schema()),
      m_copies(m_file->plan().copies()) {}

void SnapshotAccumulator::begin(const detail::DatasetPart& part) {
  m_part = m_file->withoutUnreadable(part);
  if (!m_file->plan().hasCopies())
    return;
  if (m_source != m_part.source) {
    m_source = m_part.source;
    m_numbers = m_file->numbersOf(*m_source);
  }
  m_batches.begin(m_part, m_numbers);
}

void SnapshotAccumulator::add(std::size_t entries,
                              std::span<const detail::ArgumentValues> arguments) {
  constexpr std::size_t mostBytes = std::size_t{16} << 20; // of entries that wait for earlier parts
  const std::span<const detail::ArgumentValues> columns = arguments.subspan(1);
  const SnapshotPlan& plan = m_file->plan();
  if (plan.hasCopies()) {
    copy(arguments[0].column.as<std::uint64_t>());
    m_gathered.append(plan.join(m_copies.batch(0), columns));
    m_copies.clear();
  } else {
    m_gathered.append(plan.join(Batch(plan.copies(), 0, entries), columns));
  }
  if (m_gathered.bytes() > mostBytes) {
    m_file->write(m_part, m_gathered.batch(0));
    m_gathered.clear();
  }
}

void SnapshotAccumulator::commit() { m_file->writeLast(m_part, m_gathered.batch(0)); }

/// Copies entries of the dataset's file, given by their numbers there.
void SnapshotAccumulator::copy(std::span<const std::uint64_t> entries) {
  std::vector<std::size_t> inBatch;
  for (std::size_t i = 0; i < entries.size();) {
    const Batch& batch = m_batches.at(entries[i]);
    inBatch.clear();
    for (; i < entries.size() && entries[i] < batch.firstEntry() + batch.entries(); ++i)
      inBatch.push_back(static_cast<std::size_t>(entries[i] - batch.firstEntry()));
    takeEntries(UnitedBatch(batch, m_numbers, m_copies.schema()).batch(), inBatch, m_copies);
  }
}

} // namespace kaon
