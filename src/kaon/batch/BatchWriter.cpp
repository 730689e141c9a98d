#include <kaon/batch/BatchWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Tasks.h>
#include <kaon/base/Warning.h>
#include <kaon/batch/BatchRows.h>
#include <kaon/batch/JoinedBatch.h>
#include <kaon/io/OwnerProcess.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace kaon {
namespace {

/// The place of fillers whose clusters come wherever they fall.
constexpr std::uint64_t anywhere = std::numeric_limits<std::uint64_t>::max();

/// A category that is being written.
struct Series {
  std::string name;
  SharedTables tables;
  /// Clusters that wait for those of lower places, and whether their filler is finished.
  struct Waiting {
    std::vector<std::unique_ptr<EncodedBatch>> clusters;
    bool isFinished = false;
  };
  std::map<std::uint64_t, Waiting> waiting;
  std::uint64_t nextPlace = 0;
};

/// Throws unless all of a batch is there and fits: offsets come from users, and those that fall
/// would be written as counts of billions.
void checkWhole(const Batch& batch) {
  const Schema& schema = batch.schema();
  for (std::uint32_t number = 0; number < schema.size(); ++number) {
    const TableView& table = batch.table(number);
    const Table info = schema.table(number);
    for (std::uint32_t member = 0; member < info.members.size(); ++member)
      if (member >= table.members.size() || !table.members[member].base)
        fail(ErrorKind::usage, "the batch lacks '", schema.nameOfMember(number, member), "'");
    if (info.isCounted() && !std::ranges::is_sorted(table.offsets))
      fail(ErrorKind::usage, "the offsets of '", info.name, "' fall somewhere");
    if (!table.present.empty() && table.present.size() != batch.entries())
      fail(ErrorKind::usage, "'", info.name, "' is said to be there or not in ",
           table.present.size(), " entries of ", batch.entries());
  }
  (void)rowsOf(batch, 0, batch.entries()); // checks that offsets lie within the rows
}

} // namespace

class BatchWriter::Implementation {
public:
  Implementation(std::unique_ptr<Sink> sink, WriterOptions options)
      : m_sink(std::move(sink)), m_options(std::move(options)), m_rules(m_options.rules()),
        m_exceptions(std::uncaught_exceptions()) {}
  ~Implementation() {
    if (m_state != WriterState::open || std::uncaught_exceptions() > m_exceptions)
      return;
    try {
      finish();
    } catch (...) { // a destructor cannot say it; the file does not take its place
    }
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void write(std::string_view category, const Batch& batch);
  void flush();
  [[nodiscard]] std::unique_ptr<Filler::State> makeFiller(std::string_view category,
                                                          std::uint64_t place);
  void putDocument(std::string_view name, std::string_view text) {
    checkOpen();
    m_sink->addDocument(name, text);
  }
  void finish();

  [[nodiscard]] const WriterOptions& options() const noexcept { return m_options; }
  [[nodiscard]] const StorageRules& rules() const noexcept { return m_rules; }
  [[nodiscard]] Sink& sink() noexcept { return *m_sink; }
  [[nodiscard]] const std::string& name() const noexcept { return m_sink->name(); }
  [[nodiscard]] Series& seriesOf(std::string_view category);
  void checkOpen() const {
    m_owner.check(name());
    const std::lock_guard lock(m_mutex);
    if (m_state == WriterState::finished)
      fail(ErrorKind::usage, name(), ": is finished; nothing can be written any more");
    if (m_state == WriterState::failed)
      fail(ErrorKind::usage, name(), ": an earlier write failed; the file cannot be completed");
  }
  void setFailed() noexcept {
    const std::lock_guard lock(m_mutex);
    m_state = WriterState::failed;
  }
  void append(Series& series, std::uint64_t place, std::unique_ptr<EncodedBatch> cluster);
  void finishPlace(Series& series, std::uint64_t place);
  std::atomic<std::size_t>& fillers() noexcept { return m_fillers; }

private:
  enum class WriterState { open, finished, failed };
  void warnOfUnused() const;

  std::unique_ptr<Sink> m_sink;
  WriterOptions m_options;
  StorageRules m_rules;
  int m_exceptions;
  io::OwnerProcess m_owner;

  mutable std::mutex m_mutex; // of all that follows
  std::vector<std::unique_ptr<Series>> m_series;
  std::atomic<std::size_t> m_fillers = 0; // that are not finished
  WriterState m_state = WriterState::open;

  std::map<std::string, std::unique_ptr<Filler::State>, std::less<>> m_own; // for write()
};

/// A filler: the entries that do not fill a cluster yet, and clusters that are being encoded.
struct BatchWriter::Filler::State {
  State(Implementation& owner, Series& category, std::uint64_t where)
      : writer(owner), series(category), place(where) {
    ++writer.fillers();
  }

  void write(const Batch& batch);
  void flush();
  void writeAll(BatchBuilder& builder);
  void finish();
  void abandon() noexcept;

  /// Runs what writes: if it throws the file cannot be completed.
  template <class Write>
  void guard(Write write) {
    try {
      write();
    } catch (...) {
      m_tasks.reset(); // waits for those that use what the caller may let go
      writer.setFailed();
      throw;
    }
  }
  void checkOpen() const {
    writer.checkOpen();
    if (isFinished)
      fail(ErrorKind::usage, writer.name(), ": this filler of '", series.name, "' is finished");
  }

  Implementation& writer;
  Series& series;
  std::uint64_t place;
  int exceptions = std::uncaught_exceptions();
  bool isFinished = false;

private:
  struct Pending { // a cluster that is being encoded
    std::unique_ptr<JoinedBatch> data;
    std::unique_ptr<EncodedBatch> encoded;
    std::atomic<bool> isEncoded = false;
  };

  void takeSchema(const Schema& given);
  void writeClusters(const Batch& batch);
  void writeJoined();
  void encode(std::unique_ptr<JoinedBatch> data,
              std::function<std::unique_ptr<EncodedBatch>()> run);
  void appendEncoded();
  void waitForAll();

  Schema m_given;  // of the last batch
  Schema m_schema; // the same as it is written
  std::unique_ptr<JoinedBatch> m_joined;
  std::vector<std::unique_ptr<JoinedBatch>> m_idle; // kept for their memory
  std::deque<std::unique_ptr<Pending>> m_pending;
  std::optional<TaskGroup> m_tasks; // after what the tasks use
};

void BatchWriter::Filler::State::write(const Batch& batch) {
  checkOpen();
  checkWhole(batch);
  takeSchema(batch.schema());
  guard([&] { writeClusters(batch); });
}

/// Lays the tables out by the options, and adds them to those of the category.
void BatchWriter::Filler::State::takeSchema(const Schema& given) {
  if (m_joined && given == m_given)
    return;
  Schema schema = schemaBy(writer.rules(), given);
  {
    const std::lock_guard lock(series.tables.mutex);
    Schema& known = series.tables.schema;
    for (std::uint32_t table = 0; table < std::min(known.size(), schema.size()); ++table)
      if (schema.table(table) != known.table(table))
        fail(ErrorKind::usage, writer.name(), ": the batch does not have the tables that '",
             series.name, "' has had so far: '", schema.table(table).name, "' differs");
    for (std::uint32_t table = known.size(); table < schema.size(); ++table)
      known.add(schema.table(table).definition());
  }
  guard([&] {
    writeJoined();
    waitForAll();
    m_given = given;
    m_schema = std::move(schema);
    m_idle.clear();
    m_joined = std::make_unique<JoinedBatch>(m_schema);
    // Without entries: a category has its tables even if nothing follows.
    writer.append(series, place, writer.sink().encode(series.name, m_joined->batch(0)));
  });
}

/// Cuts clusters from a batch, and keeps what does not fill one.
void BatchWriter::Filler::State::writeClusters(const Batch& batch) {
  const std::size_t mostBytes = writer.options().bytesOfCluster(m_schema.columns().size());
  const std::size_t mostEntries = writer.options().clusterEntries > 0
                                      ? writer.options().clusterEntries
                                      : std::numeric_limits<std::uint32_t>::max();
  bool isUsed = false; // the batch, by tasks
  for (std::size_t first = 0; first < batch.entries();) {
    const std::size_t last =
        endOfRun(batch, first, mostBytes - m_joined->bytes(), mostEntries - m_joined->entries());
    const bool isFull = m_joined->bytes() + bytesOf(batch, first, last) >= mostBytes ||
                        m_joined->entries() + (last - first) >= mostEntries;
    if (isFull && m_joined->entries() == 0) {
      encode(nullptr, [this, &batch, first, last] {
        const BatchSlice slice(batch, first, last, m_schema);
        return writer.sink().encode(series.name, slice.batch());
      });
      isUsed = true;
    } else {
      m_joined->append(batch, first, last);
      if (isFull)
        writeJoined();
    }
    first = last;
  }
  if (isUsed)
    waitForAll();
}

/// Writes what was joined as a cluster, and goes on with other memory.
void BatchWriter::Filler::State::writeJoined() {
  if (!m_joined || m_joined->entries() == 0)
    return;
  JoinedBatch& data = *m_joined;
  encode(std::move(m_joined),
         [this, &data] { return writer.sink().encode(series.name, data.batch(0)); });
  if (m_idle.empty()) {
    m_joined = std::make_unique<JoinedBatch>(m_schema);
  } else {
    m_joined = std::move(m_idle.back());
    m_idle.pop_back();
  }
}

/// Encodes a cluster in the background, if there are threads for it. `data` is what `run` needs.
void BatchWriter::Filler::State::encode(std::unique_ptr<JoinedBatch> data,
                                        std::function<std::unique_ptr<EncodedBatch>()> run) {
  Pending& cluster = *m_pending.emplace_back(std::make_unique<Pending>());
  cluster.data = std::move(data);
  const auto encodeNow = [&cluster, run = std::move(run)] {
    cluster.encoded = run();
    cluster.isEncoded.store(true, std::memory_order_release);
  };
  const std::size_t workers = threads();
  if (workers == 1) {
    encodeNow();
  } else {
    if (!m_tasks)
      m_tasks.emplace();
    m_tasks->run(encodeNow);
  }
  appendEncoded();
  if (m_pending.size() > workers)
    waitForAll();
}

/// Appends the first clusters, as far as they are encoded.
void BatchWriter::Filler::State::appendEncoded() {
  while (!m_pending.empty() && m_pending.front()->isEncoded.load(std::memory_order_acquire)) {
    Pending& first = *m_pending.front();
    writer.append(series, place, std::move(first.encoded));
    if (first.data) {
      first.data->clear();
      m_idle.push_back(std::move(first.data));
    }
    m_pending.pop_front();
  }
}

void BatchWriter::Filler::State::waitForAll() {
  if (m_tasks)
    m_tasks->wait();
  appendEncoded();
}

void BatchWriter::Filler::State::flush() {
  guard([&] {
    writeJoined();
    waitForAll();
  });
}

void BatchWriter::Filler::State::writeAll(BatchBuilder& builder) {
  flush(); // what was written before comes before
  guard([&] {
    writer.append(series, place, writer.sink().encode(series.name, builder.batch(0)));
    builder.clear();
  });
}

void BatchWriter::Filler::State::finish() {
  if (std::exchange(isFinished, true))
    return;
  --writer.fillers();
  guard([&] {
    writeJoined();
    waitForAll();
    writer.finishPlace(series, place);
  });
}

void BatchWriter::Filler::State::abandon() noexcept {
  if (std::exchange(isFinished, true))
    return;
  --writer.fillers();
  writer.setFailed();
}

void BatchWriter::Implementation::write(std::string_view category, const Batch& batch) {
  checkOpen();
  auto own = m_own.find(category);
  if (own == m_own.end())
    own =
        m_own
            .emplace(category, std::make_unique<Filler::State>(*this, seriesOf(category), anywhere))
            .first;
  own->second->write(batch);
}

void BatchWriter::Implementation::flush() {
  checkOpen();
  for (const auto& [category, filler] : m_own)
    filler->flush();
}

std::unique_ptr<BatchWriter::Filler::State>
BatchWriter::Implementation::makeFiller(std::string_view category, std::uint64_t place) {
  checkOpen();
  Series& series = seriesOf(category);
  if (place != anywhere) {
    const std::lock_guard lock(m_mutex);
    if (place < series.nextPlace || series.waiting.contains(place))
      fail(ErrorKind::usage, name(), ": place ", place, " of '", category, "' is taken already");
    series.waiting[place];
  }
  return std::make_unique<Filler::State>(*this, series, place);
}

void BatchWriter::Implementation::finish() {
  checkOpen();
  try {
    for (const auto& [category, filler] : m_own)
      filler->finish();
    {
      const std::lock_guard lock(m_mutex);
      if (m_fillers > 0)
        fail(ErrorKind::usage, name(), ": is being filled by ", m_fillers,
             " fillers; finish them first");
      for (const auto& series : m_series)
        if (!series->waiting.empty())
          fail(ErrorKind::usage, name(), ": nothing was written to place ", series->nextPlace,
               " of '", series->name, "', for which others wait");
    }
    warnOfUnused();
    m_sink->finish();
  } catch (...) {
    setFailed();
    throw;
  }
  const std::lock_guard lock(m_mutex);
  m_state = WriterState::finished;
}

Series& BatchWriter::Implementation::seriesOf(std::string_view category) {
  const std::lock_guard lock(m_mutex);
  for (const auto& series : m_series)
    if (series->name == category)
      return *series;
  auto series = std::make_unique<Series>();
  series->name = category;
  series->tables.schema = m_sink->schema(category);
  return *m_series.emplace_back(std::move(series));
}

/// Appends a cluster, or keeps it until those of the lower places are there.
void BatchWriter::Implementation::append(Series& series, std::uint64_t place,
                                         std::unique_ptr<EncodedBatch> cluster) {
  if (place != anywhere) {
    const std::lock_guard lock(m_mutex);
    if (place != series.nextPlace) {
      series.waiting[place].clusters.push_back(std::move(cluster));
      return;
    }
  }
  m_sink->append(std::move(cluster));
}

/// Appends what waited for this place.
void BatchWriter::Implementation::finishPlace(Series& series, std::uint64_t place) {
  if (place == anywhere)
    return;
  const std::lock_guard lock(m_mutex);
  series.waiting[place].isFinished = true;
  while (!series.waiting.empty() && series.waiting.begin()->first == series.nextPlace) {
    auto& first = series.waiting.begin()->second;
    for (auto& cluster : first.clusters)
      m_sink->append(std::move(cluster));
    first.clusters.clear();
    if (!first.isFinished)
      break;
    series.waiting.erase(series.waiting.begin());
    ++series.nextPlace;
  }
}

/// Options for names that nothing that was written has are probably misspelt.
void BatchWriter::Implementation::warnOfUnused() const {
  std::vector<std::string> known;
  for (const auto& series : m_series) {
    const Schema& schema = series->tables.schema;
    for (std::uint32_t table = 0; table < schema.size(); ++table) {
      known.emplace_back(schema.table(table).name);
      for (std::uint32_t member = 0; member < schema.table(table).members.size(); ++member)
        known.push_back(schema.nameOfMember(table, member));
    }
  }
  const auto check = [&](const std::string& option, const char* kind) {
    if (!known.empty() && std::ranges::find(known, option) == known.end())
      warn(WarningKind::unusedOption, name() + ": nothing that was written is called '" + option +
                                          "', as the option " + kind + " says" +
                                          suggestion(option, known));
  };
  for (const auto& [table, storage] : m_options.storage)
    check(table, "storage");
  for (const auto& [column, encoding] : m_options.encodings)
    check(column, "encodings");
  for (const std::string& tag : m_options.tags)
    check(tag, "tags");
  for (const std::string& key : m_options.keys)
    check(key, "keys");
}

BatchWriter::BatchWriter(std::unique_ptr<Sink> sink, WriterOptions options)
    : m_implementation(std::make_unique<Implementation>(std::move(sink), std::move(options))) {}
BatchWriter::~BatchWriter() = default;
BatchWriter::BatchWriter(BatchWriter&&) noexcept = default;
BatchWriter& BatchWriter::operator=(BatchWriter&&) noexcept = default;

void BatchWriter::write(std::string_view category, const Batch& batch) {
  m_implementation->write(category, batch);
}
void BatchWriter::flush() { m_implementation->flush(); }
BatchWriter::Filler BatchWriter::filler(std::string_view category) {
  return Filler(m_implementation->makeFiller(category, anywhere));
}
BatchWriter::Filler BatchWriter::filler(std::string_view category, std::uint64_t place) {
  return Filler(m_implementation->makeFiller(category, place));
}
SharedTables& BatchWriter::tables(std::string_view category) {
  return m_implementation->seriesOf(category).tables;
}
const WriterOptions& BatchWriter::options() const noexcept { return m_implementation->options(); }
const std::string& BatchWriter::name() const noexcept { return m_implementation->name(); }
void BatchWriter::checkOpen() const { m_implementation->checkOpen(); }
void BatchWriter::putDocument(std::string_view name, std::string_view text) {
  m_implementation->putDocument(name, text);
}
void BatchWriter::finish() { m_implementation->finish(); }
void BatchWriter::abandon() noexcept { m_implementation->setFailed(); }

BatchWriter::Filler::Filler(std::unique_ptr<State> state) : m_state(std::move(state)) {}
BatchWriter::Filler::Filler(Filler&&) noexcept = default;
BatchWriter::Filler::~Filler() {
  if (!m_state)
    return;
  if (std::uncaught_exceptions() > m_state->exceptions) {
    m_state->abandon(); // what the thread still had to write is missing
    return;
  }
  try {
    finish();
  } catch (...) { // the writer knows that the file cannot be completed
  }
}
void BatchWriter::Filler::write(const Batch& batch) { m_state->write(batch); }
void BatchWriter::Filler::flush() {
  m_state->checkOpen();
  m_state->flush();
}
void BatchWriter::Filler::writeFull(BatchBuilder& builder) {
  const WriterOptions& options = m_state->writer.options();
  const std::uint32_t mostEntries = options.clusterEntries;
  if (builder.bytes() >= options.bytesOfCluster(builder.schema().columns().size()) ||
      (mostEntries > 0 && builder.entries() >= mostEntries))
    m_state->writeAll(builder);
}
void BatchWriter::Filler::writeAll(BatchBuilder& builder) { m_state->writeAll(builder); }
void BatchWriter::Filler::finish() { m_state->finish(); }
void BatchWriter::Filler::setFailed() noexcept { m_state->writer.setFailed(); }

} // namespace kaon
