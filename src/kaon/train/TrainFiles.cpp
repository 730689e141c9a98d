#include <kaon/train/TrainFiles.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/batch/Columns.h>
#include <kaon/batch/StoredClusters.h>
#include <kaon/batch/StoredEntries.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/event/FileMetadata.h>
#include <kaon/files/Files.h>
#include <kaon/files/Format.h>
#include <kaon/files/ListedEntries.h>
#include <kaon/files/Parents.h>
#include <kaon/train/OtherCategories.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <utility>

namespace kaon {
namespace {

/// Whether pages must differ from stored ones in more than their codec.
bool saysHowToEncode(const WriterOptions& options) {
  const WriterOptions usual;
  return !options.encodings.empty() || options.goal != usual.goal ||
         options.pageBytes != usual.pageBytes || options.clusterBytes != usual.clusterBytes;
}

/// Whether an output has a document of the dataset's files.
bool takesDocument(const TrainOutput& output, const EntryContents& contents,
                   std::string_view name) {
  if (output.isVirtual)
    return name == detail::metadataDocument; // a virtual file reads all others from its parents
  const bool namesSource = idOfSource(name).has_value();
  return !namesSource || !contents.hasProvenance(); // provenance comes with names of its own
}

/// Warns of a file without entries, if its format identifies a category by its entries.
void warnOfLostCategory(const std::string& path, std::string_view format,
                        const std::string& category) {
  if (const Format& written = formatToWrite(path, format); !written.keepsEmptyCategories)
    warn(WarningKind::lostMetadata, path + ": has no entries of '" + category + "', and files of " +
                                        std::string(written.name) +
                                        " store only categories with entries");
}

/// Counts bytes and discards them.
class CountingSink final : public io::ByteSink {
public:
  CountingSink(std::string name, std::shared_ptr<std::uint64_t> bytes)
      : m_name(std::move(name)), m_bytes(std::move(bytes)) {}
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  void write(std::span<const std::byte> bytes) override { *m_bytes += bytes.size(); }
  void rewrite(std::uint64_t /*position*/, std::span<const std::byte> /*bytes*/) override {}
  void finish() override {}

private:
  std::string m_name;
  std::shared_ptr<std::uint64_t> m_bytes;
};

} // namespace

void TrainEntries::clear() {
  for (Sets& sets : streams)
    for (auto& [outputs, gathered] : sets)
      gathered->clear();
  decisions.clear();
  count = 0;
  bytes = 0;
}

TrainFiles::TrainFiles(std::vector<TrainOutput> outputs, TrainOptions options,
                       std::shared_ptr<const Dataset> dataset, std::optional<double> trialScale,
                       std::vector<TrainStream> streams, CopiedForm form)
    : m_outputs(std::move(outputs)), m_options(std::move(options)), m_dataset(std::move(dataset)),
      m_trialScale(trialScale), m_budget(m_options.writer.bytesOfMemory()),
      m_streams(std::move(streams)), m_form(std::move(form)) {
  WriterOptions ofFile = m_options.writer;
  ofFile.memoryBudget = std::max<std::size_t>(ofFile.bytesOfMemory() / m_outputs.size(), 1);
  for (const TrainOutput& output : m_outputs)
    m_sinks.push_back(sinkOf(output, ofFile));
  const std::size_t room = m_options.writer.bytesOfMemory() / 8 * 5 / m_streams.size();
  const std::map<std::string, std::string> texts = documents();
  for (TrainStream& stream : m_streams) {
    begin(stream, texts);
    stream.clusters = std::make_unique<SharedClusters>(
        m_sinks, static_cast<std::size_t>(std::countr_zero(stream.outputs)), m_dataset->category(),
        stream.contents.schema(), m_options.writer, room, m_budget);
  }
  nameSource(*m_dataset->open(0)); // also for files without entries
  if (m_options.otherCategories)
    writeOtherCategories();
  for (const auto& bytes : m_bytes)
    m_bytesBefore.push_back(*bytes);
  if (!hasDecisions())
    return;
  m_decisions.emplace(batchWriter(m_options.decisions, ofFile));
  for (const TrainOutput& output : m_outputs)
    m_decisionNames.push_back(std::filesystem::path(output.path).stem());
}

std::unique_ptr<Sink> TrainFiles::sinkOf(const TrainOutput& output, const WriterOptions& options) {
  if (!m_trialScale)
    return create(output.path, options.forSink());
  m_bytes.push_back(std::make_shared<std::uint64_t>(0));
  return create(std::make_unique<CountingSink>(output.path, m_bytes.back()), options.forSink());
}

/// Returns the documents of the dataset's files. Of documents with the same name, keeps the first
/// file's. Merges the metadata of several files.
std::map<std::string, std::string> TrainFiles::documents() const {
  std::map<std::string, std::string> texts;
  WrittenMetadata metadata;
  const bool hasMetadata = m_options.writer.copyMetadata;
  const bool isCopied = hasMetadata && m_dataset->files() == 1;
  const bool isJoined = hasMetadata && m_dataset->files() > 1;
  for (std::size_t number = 0; number < m_dataset->files(); ++number) {
    if (m_dataset->isLeftOut(number))
      continue;
    const std::shared_ptr<const File> file = m_dataset->open(number);
    for (const std::string& name : file->documents())
      if (!texts.contains(name) && (name != detail::metadataDocument || isCopied))
        texts.emplace(name, file->document(name));
    for (const std::string& name : file->categories())
      if (isJoined && (m_options.otherCategories || name == m_dataset->category()))
        metadata.addSource(*file, file->category(name), name);
  }
  if (const auto joined = metadata.document(m_outputs.front().path))
    texts.emplace(detail::metadataDocument, *joined);
  return texts;
}

/// Begins all files of a stream: writes documents, and tables without entries.
void TrainFiles::begin(TrainStream& stream, const std::map<std::string, std::string>& documents) {
  const JoinedBatch none(stream.contents.schema());
  for (std::size_t output = 0; output < m_outputs.size(); ++output) {
    if ((stream.outputs >> output & 1) == 0)
      continue;
    Sink& sink = *m_sinks[output];
    if (m_outputs[output].isVirtual)
      sink.addDocument(listDocument, m_dataset->category());
    for (const auto& [name, text] : documents)
      if (takesDocument(m_outputs[output], stream.contents, name))
        sink.addDocument(name, text);
    sink.write(m_dataset->category(), none.batch(0));
    stream.isShared = !m_options.keepsOrder && !m_outputs[output].isVirtual && sink.takesCopies();
    stream.isWhole =
        m_options.copiesClusters && !m_outputs[output].isVirtual && stream.thinnings.empty();
    stream.takesClusters = stream.isWhole && !saysHowToEncode(m_options.writer) &&
                           &formatToWrite(m_outputs[output].path, m_options.writer.format) ==
                               &formatToWrite(".kaon", {});
  }
}

void TrainFiles::writeOtherCategories() {
  std::map<const Format*, OutputSet> outputsOf;
  for (std::size_t output = 0; output < m_outputs.size(); ++output) {
    const Format& format = formatToWrite(m_outputs[output].path, m_options.writer.format);
    if (!m_outputs[output].isVirtual)
      outputsOf[&format] |= OutputSet{1} << output;
  }
  std::vector<OtherCategories::Outputs> sets;
  for (const auto& [format, outputs] : outputsOf)
    if (m_sinks[static_cast<std::size_t>(std::countr_zero(outputs))]->takesCopies())
      sets.push_back({format, outputs});
    else
      forEachOutput(outputs, [&](std::size_t output) {
        sets.push_back({format, OutputSet{1} << output});
      });
  if (sets.empty())
    return;
  const OtherCategories others(m_dataset, m_form);
  others.copyObjects(m_sinks, sets);
  others.write(m_sinks, sets, m_options.writer, m_budget);
}

bool TrainFiles::takesStored(const TrainStream& stream, const Source& source) const {
  const auto& sink = m_sinks[static_cast<std::size_t>(std::countr_zero(stream.outputs))];
  const auto* const stored = dynamic_cast<const StoredEntries*>(&source);
  const auto* const taking = dynamic_cast<const StoredEntriesSink*>(sink.get());
  return stream.isWhole && !stream.contents.hasProvenance() && stored && taking &&
         stored->storedEntries() && taking->takesStoredEntries(source);
}

bool TrainFiles::isLarge(const Source& source, std::size_t cluster, EntryRange range) const {
  const std::size_t wanted = m_options.writer.clusterEntries;
  return wanted > 0 ? range.size() == wanted
                    : dynamic_cast<const StoredClusters&>(source).isLarge(cluster);
}

std::unique_ptr<TrainEntries> TrainFiles::take() {
  const std::lock_guard lock(m_mutex);
  if (!m_idle.empty()) {
    std::unique_ptr<TrainEntries> idle = std::move(m_idle.back());
    m_idle.pop_back();
    return idle;
  }
  auto entries = std::make_unique<TrainEntries>();
  entries->streams.resize(m_streams.size());
  return entries;
}

void TrainFiles::giveBack(std::unique_ptr<TrainEntries> entries) {
  entries->clear();
  const std::lock_guard lock(m_mutex);
  m_idle.push_back(std::move(entries));
}

void TrainFiles::write(const detail::DatasetPart& part, TrainEntries& entries) {
  m_order.waitFor(part.number, "the train");
  nameSource(*part.file);
  for (std::size_t i = 0; i < m_streams.size(); ++i)
    for (const auto& [outputs, gathered] : entries.streams[i])
      if (gathered->entries() > 0)
        m_streams[i].clusters->write(outputs, gathered->batch(0));
  writeDecisions(entries);
  m_entries += entries.count;
  entries.clear();
}

bool TrainFiles::copy(const detail::DatasetPart& part, std::size_t stream, OutputSet outputs,
                      std::size_t cluster, EntryRange range, TrainEntries& entries) {
  const auto& source = dynamic_cast<const StoredClusters&>(*part.source);
  const Schema& schema = m_streams[stream].contents.schema();
  const auto count = static_cast<std::size_t>(range.size());
  Batch further(schema, range.first, count);
  const std::vector<std::uint64_t> ids(count, part.file->id());
  std::vector<std::uint64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), range.first);
  const std::array<const std::vector<std::uint64_t>*, 2> values{&ids, &numbers};
  for (std::size_t i = 0; m_streams[stream].contents.hasProvenance() && i < values.size(); ++i) {
    TableView& table = further.table(schema.find(provenanceNames[i]));
    table.rows = count;
    table.members = {{detail::bytesAt(values[i]->data()), sizeof ids[0]}};
  }
  auto stored = source.storedCluster(cluster, further, m_options.writer.forSink());
  if (!stored)
    return false;
  write(part, entries);
  m_streams[stream].clusters->copy(outputs, std::move(stored), count, part.file);
  return true;
}

void TrainFiles::writeLast(const detail::DatasetPart& part, TrainEntries& entries) {
  write(part, entries);
  m_order.next();
}

/// Records the name of a source file in all outputs with provenance.
void TrainFiles::nameSource(const File& file) {
  warnOfUnread(file.category(m_dataset->category()));
  if (!m_sources.insert(file.id()).second)
    return;
  for (const TrainStream& stream : m_streams)
    for (std::size_t output = 0; output < m_outputs.size(); ++output)
      if (stream.contents.hasProvenance() && (stream.outputs >> output & 1) != 0)
        m_sinks[output]->addDocument(sourceDocument(file.id()), file.name());
}

/// Warns of data in a file that kaon cannot read, unless an earlier file had all of it, too.
void TrainFiles::warnOfUnread(const Source& source) {
  bool isNew = false;
  for (const Unreadable& each : source.unreadable())
    isNew |= m_unread.insert(each.name).second;
  if (isNew)
    warnOfUnreadable(source, "are left out");
}

void TrainFiles::writeDecisions(const TrainEntries& entries) {
  if (!m_decisions)
    return;
  const std::size_t count = entries.decisions.size();
  const auto values = std::make_unique<bool[]>(count * m_outputs.size());
  Columns columns(count);
  for (std::size_t output = 0; output < m_outputs.size(); ++output) {
    bool* const isTaken = values.get() + output * count;
    for (std::size_t i = 0; i < count; ++i)
      isTaken[i] = (entries.decisions[i] >> output & 1) != 0;
    columns.add(m_decisionNames[output], std::span<const bool>(isTaken, count));
  }
  m_decisions->write(m_dataset->category(), columns.batch());
}

std::uint64_t TrainFiles::scaled(std::uint64_t ofTrial) const {
  return m_trialScale ? static_cast<std::uint64_t>(
                            std::llround(*m_trialScale * static_cast<double>(ofTrial)))
                      : ofTrial;
}

std::uint64_t TrainFiles::bytesOf(std::size_t output) const {
  if (!m_trialScale)
    return std::filesystem::file_size(m_outputs[output].path);
  return m_bytesBefore[output] + scaled(*m_bytes[output] - m_bytesBefore[output]);
}

TrainReport TrainFiles::finish() {
  TrainReport report;
  report.entries = scaled(m_entries);
  for (const TrainStream& stream : m_streams) {
    stream.clusters->finish();
    report.encodedEntries += scaled(stream.clusters->encodedEntries());
    report.copiedEntries += scaled(stream.clusters->copiedEntries());
  }
  for (std::size_t output = 0; output < m_outputs.size(); ++output) {
    m_sinks[output]->finish();
    TrainReport::Output& written = report.outputs.emplace_back();
    written.path = m_outputs[output].path;
    for (const TrainStream& stream : m_streams)
      written.entries += scaled(stream.clusters->entries(output));
    written.bytes = bytesOf(output);
    if (!m_trialScale && written.entries == 0)
      warnOfLostCategory(written.path, m_options.writer.format, m_dataset->category());
  }
  if (m_decisions) {
    writeDecisions({}); // write the columns even without entries
    m_decisions->finish();
  }
  return report;
}

void TrainFiles::abandon() noexcept {
  for (TrainStream& stream : m_streams)
    stream.clusters.reset();
  for (const auto& sink : m_sinks)
    sink->abandon();
  m_sinks.clear();
  if (m_decisions)
    m_decisions->abandon();
  m_decisions.reset();
}

} // namespace kaon
