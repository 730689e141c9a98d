#include <kaon/writing/BatchWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Unwinding.h>
#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/Provenance.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/io/OwnerProcess.h>
#include <kaon/model/KnownTables.h>
#include <kaon/model/StorageRules.h>
#include <kaon/writing/BatchBuilder.h>
#include <kaon/writing/BatchCheck.h>
#include <kaon/writing/ClusterOrder.h>
#include <kaon/writing/ClusterQueue.h>
#include <kaon/writing/GatheredRows.h>
#include <kaon/writing/JoinedBatch.h>
#include <kaon/writing/OptionNames.h>
#include <kaon/writing/SharedTables.h>

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace kaon {
namespace {

/// The origin of the entries of a batch.
enum class BatchOrigin { program, file };

/// Returns `schema`, where known tables that are keys only now keep their definition. Their values
/// can be sorted all the same.
Schema withKnownKeys(const Schema& schema, const Schema& known) {
  Schema all;
  for (TableNumber number = 0; number < schema.size(); ++number) {
    TableDefinition table = schema.table(number).definition();
    if (number < known.size() && table.use == (known.table(number).use | TableUse::key))
      table.use = known.table(number).use;
    all.add(table);
  }
  return all;
}

/// Returns the size of entries that are not copied, because the copy would exceed the budget.
std::size_t bytesOfHugeEntry(const WriterOptions& options) noexcept {
  return std::max<std::size_t>(options.bytesOfMemory() / 2, 1);
}

/// A category that is being written.
struct Series {
  Series(Sink& sink, std::string_view category, detail::MemoryBudget& budget)
      : name(category), isLeading(sink.isLeading(category)), places(sink, budget) {
    tables.schema = sink.schema(category);
  }
  std::string name;
  bool isLeading;
  detail::SharedTables tables;
  ClusterOrder places;
  std::mutex mutex;                                // for the member below
  std::vector<std::unique_ptr<GatheredRows>> idle; // of finished fillers, kept for reuse
};

} // namespace

class BatchWriter::Implementation {
public:
  Implementation(std::unique_ptr<Sink> sink, WriterOptions options)
      : m_sink(std::move(sink)), m_options(std::move(options)), m_rules(m_options.rules()),
        m_budget(m_options.bytesOfMemory()) {}
  ~Implementation() {
    if (m_state != WriterState::open || m_unwinding.hasBegun())
      return;
    try {
      finish();
    } catch (...) { // a destructor cannot report it; the file stays unfinished
    }
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void flush();
  void sync();
  [[nodiscard]] Filler& ownFiller(std::string_view category);
  [[nodiscard]] std::unique_ptr<Filler::State> makeFiller(std::string_view category,
                                                          std::uint64_t place);
  void setBeforeFinish(std::function<void()> call) { m_beforeFinish = std::move(call); }
  void putDocument(std::string_view name, std::string_view text) {
    checkOpen();
    m_sink->addDocument(name, text);
  }
  void putObject(std::string_view name, const ObjectTree& object) {
    checkOpen();
    m_sink->addObject(name, object);
  }
  void addColumns(std::string_view category, std::string_view columns) {
    checkOpen();
    m_sink->addColumns(category, columns);
  }
  void finish();

  [[nodiscard]] const WriterOptions& options() const noexcept { return m_options; }
  [[nodiscard]] const detail::StorageRules& rules() const noexcept { return m_rules; }
  [[nodiscard]] Sink& sink() noexcept { return *m_sink; }
  [[nodiscard]] detail::MemoryBudget& budget() noexcept { return m_budget; }
  [[nodiscard]] const std::string& name() const noexcept { return m_sink->name(); }
  [[nodiscard]] Series& seriesOf(std::string_view category);
  void checkOpen() const {
    m_owner.check(name());
    const WriterState state = m_state; // without the lock, because each frame asks for it
    if (state == WriterState::finished)
      fail(ErrorKind::usage, name(), ": is finished; nothing can be written any more");
    if (state == WriterState::failed)
      fail(ErrorKind::usage, name(), ": an earlier write failed; the file cannot be completed");
  }
  void setFailed() noexcept {
    {
      const std::lock_guard lock(m_mutex);
      if (m_state == WriterState::finished)
        return;
      m_state = WriterState::failed;
    }
    m_sink->abandon();
  }
  std::atomic<std::size_t>& fillers() noexcept { return m_fillers; }

private:
  enum class WriterState { open, finished, failed };
  [[nodiscard]] std::unique_ptr<Filler::State> newFiller(Series& series, std::uint64_t place);
  void checkFilled() const;
  void warnOfUnused() const;
  void warnOfSeveralTypes() const;

  std::unique_ptr<Sink> m_sink;
  WriterOptions m_options;
  detail::StorageRules m_rules;
  detail::MemoryBudget m_budget;
  Unwinding m_unwinding;
  io::OwnerProcess m_owner;
  std::function<void()> m_beforeFinish;

  mutable std::mutex m_mutex; // for all members below
  std::vector<std::unique_ptr<Series>> m_series;
  std::map<std::string, Series*, std::less<>> m_named;
  std::atomic<std::size_t> m_fillers = 0;               // unfinished ones
  std::atomic<WriterState> m_state = WriterState::open; // changed under the lock

  std::map<std::string, Filler, std::less<>> m_own; // for write()
  std::pair<std::string_view, Filler*> m_lastOwn;   // mostly the next one, too
};

/// The state of a filler: entries that do not fill a cluster yet, and clusters that are being
/// encoded.
struct BatchWriter::Filler::State {
  State(Implementation& owner, Series& category, std::uint64_t where)
      : writer(owner), series(category), place(where),
        m_clusters(owner.budget(),
                   [this](std::unique_ptr<detail::EncodedBatch> cluster) {
                     series.places.append(place, std::move(cluster));
                   }),
        m_gathering(owner.budget(), [this] { giveBack(); }) {
    ++writer.fillers();
  }

  void write(const Batch& batch, BatchOrigin origin);
  void flush();
  void setRows(std::unique_ptr<GatheredRows> some);
  void gatherRows(const std::function<void()>& add, const std::function<void()>& accept);
  void finish();
  void abandon() noexcept;
  void checkOpen() const {
    writer.checkOpen();
    if (isFinished)
      fail(ErrorKind::usage, writer.name(), ": this filler of '", series.name, "' is finished");
  }

  Implementation& writer;
  Series& series;
  std::uint64_t place;
  Unwinding unwinding;
  bool isFinished = false;

private:
  void writeRows(detail::BatchBuilder& builder);
  void flushRows() {
    if (rows)
      rows->flush();
  }
  void finishRows();
  void gather(const Batch& batch, BatchOrigin origin);
  void writeWhole(const Batch& batch, BatchOrigin origin);
  void takeSchema(const Schema& given);
  void writeClusters(const Batch& batch);
  void writeJoined();
  void writeGathered();
  void giveBack();

  /// Runs a function that writes. If it throws, the file cannot be completed.
  template <class Write>
  void guard(Write write) {
    try {
      write();
    } catch (...) {
      m_clusters.stop(); // clusters use data that the caller may destroy
      writer.setFailed();
      throw;
    }
  }
  /// Tells the budget how much memory the collected entries take.
  void count() noexcept {
    m_gathering.setBytes((m_joined ? m_joined->mostBytes() : 0) + m_clusters.bytes());
  }

  Schema m_given;                    // of the last batch
  std::optional<BatchCheck> m_check; // for m_given, if a program made the batch
  Schema m_schema;                   // m_given as it is written
  std::unique_ptr<JoinedBatch> m_joined;
  std::size_t m_columns = std::numeric_limits<std::size_t>::max(); // of gathered rows, if known
  std::size_t m_clusterBytes = 0;                                  // with so many columns
  ClusterQueue m_clusters;
  detail::MemoryBudget::Gathering m_gathering; // for the members above

public:
  std::unique_ptr<GatheredRows> rows; // null if no code gathers rows; destroyed first
};

void BatchWriter::Filler::State::write(const Batch& batch, BatchOrigin origin) {
  checkOpen();
  flushRows(); // earlier entries come first
  {
    const auto lock = m_gathering.lock();
    gather(batch, origin);
    count();
  }
  writer.budget().relieve();
}

void BatchWriter::Filler::State::gather(const Batch& batch, BatchOrigin origin) {
  checkWhole(batch);
  if (!writer.options().provenance)
    return writeWhole(batch, origin);
  const BatchWithProvenance whole(batch);
  writeWhole(whole.batch(), origin);
  for (const detail::FileEntries& run : batch.origins(0, batch.entries()))
    if (run.file)
      writer.putDocument(sourceDocument(run.file->id()), run.file->name());
}

void BatchWriter::Filler::State::writeWhole(const Batch& batch, BatchOrigin origin) {
  const bool isKnown = m_joined && batch.schema() == m_given;
  std::optional<BatchCheck> check;
  if (origin == BatchOrigin::program) {
    if (!isKnown || !m_check)
      check.emplace(batch.schema(), writer.name(), series.name);
    (check ? *check : *m_check).checkValues(batch);
  }
  if (!isKnown) {
    m_check.reset();
    takeSchema(batch.schema());
  }
  if (check)
    m_check = std::move(check);
  guard([&] {
    writeClusters(batch);
    if (series.isLeading)
      writeGathered();
  });
}

/// Lays the tables out by the options, and adds them to those of the category, unless the sink
/// rejects them.
void BatchWriter::Filler::State::takeSchema(const Schema& given) {
  Schema schema = detail::schemaBy(writer.rules(), given);
  std::unique_ptr<detail::EncodedBatch> tables; // without entries; adds the tables to the category
  {
    const std::lock_guard lock(series.tables.mutex);
    Schema& known = series.tables.schema;
    schema = withKnownKeys(schema, known);
    checkKnownTables(schema, known, writer.name(), series.name);
    tables = writer.sink().encode(series.name, JoinedBatch(schema).batch(0));
    for (TableNumber table = known.size(); table < schema.size(); ++table)
      known.add(schema.table(table).definition());
  }
  guard([&] {
    writeJoined();
    m_clusters.wait();
    m_given = given;
    m_schema = std::move(schema);
    m_clusters.dropIdle();
    m_joined = std::make_unique<JoinedBatch>(m_schema);
    series.places.append(place, std::move(tables));
  });
}

/// Cuts clusters from a batch, and keeps the entries that do not fill one.
void BatchWriter::Filler::State::writeClusters(const Batch& batch) {
  const std::size_t mostBytes = writer.options().bytesOfCluster(m_schema.columns().size());
  const std::size_t mostEntries = writer.options().clusterEntries > 0
                                      ? writer.options().clusterEntries
                                      : std::numeric_limits<std::uint32_t>::max();
  const std::size_t hugeBytes = bytesOfHugeEntry(writer.options());
  bool isUsed = false; // whether tasks use the batch
  for (std::size_t first = 0; first < batch.entries();) {
    const std::size_t last = detail::endOfRun(batch, first, mostBytes - m_joined->bytes(),
                                              mostEntries - m_joined->entries());
    if (m_joined->entries() > 0 && detail::bytesOf(batch, first, last) >= hugeBytes) {
      writeJoined(); // a huge entry is not copied
      continue;
    }
    const bool isFull = m_joined->bytes() + detail::bytesOf(batch, first, last) >= mostBytes ||
                        m_joined->entries() + (last - first) >= mostEntries;
    if (isFull && m_joined->entries() == 0) {
      m_clusters.add(nullptr, detail::bytesOf(batch, first, last), [this, &batch, first, last] {
        const detail::BatchSlice slice(batch, first, last, m_schema);
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
    m_clusters.wait();
}

/// Writes the joined entries as a cluster, and continues with other memory.
void BatchWriter::Filler::State::writeJoined() {
  if (!m_joined || m_joined->entries() == 0)
    return;
  JoinedBatch& data = *m_joined;
  m_clusters.add(std::move(m_joined), data.bytes(),
                 [this, &data] { return writer.sink().encode(series.name, data.batch(0)); });
  m_joined = m_clusters.takeIdle();
  if (!m_joined)
    m_joined = std::make_unique<JoinedBatch>(m_schema);
}

void BatchWriter::Filler::State::writeGathered() {
  writeJoined();
  m_clusters.wait();
}

/// Frees memory that is not needed now. If that is not enough, writes the collected entries.
void BatchWriter::Filler::State::giveBack() {
  guard([&] {
    m_clusters.wait();
    m_clusters.dropIdle();
    count();
    if (!m_joined || !writer.budget().isExceeded())
      return;
    writeGathered();
    m_clusters.dropIdle();
    m_joined = std::make_unique<JoinedBatch>(m_schema);
    count();
  });
}

void BatchWriter::Filler::State::flush() {
  checkOpen();
  flushRows();
  const auto lock = m_gathering.lock();
  guard([&] {
    writeGathered();
    if (writer.options().sync == Sync::flush)
      writer.sink().sync();
  });
}

void BatchWriter::Filler::State::setRows(std::unique_ptr<GatheredRows> some) {
  rows = std::move(some);
  rows->setWrite([this](detail::BatchBuilder& builder) { writeRows(builder); });
}

/// Appends an entry that code gathers as rows, and writes rows that fill a cluster.
void BatchWriter::Filler::State::gatherRows(const std::function<void()>& add,
                                            const std::function<void()>& accept) {
  checkOpen();
  const auto addEntry = [&] {
    add();
    try {
      accept();
    } catch (...) {
      rows->gatherer().builder().clear(); // it may have views of rows
      writer.setFailed();
      throw;
    }
  };
  rows->add(addEntry, [this](const detail::BatchBuilder& builder, std::size_t bytes) {
    const WriterOptions& options = writer.options();
    if (const std::size_t columns = builder.schema().columns().size(); columns != m_columns) {
      m_columns = columns;
      m_clusterBytes = options.bytesOfCluster(columns);
    }
    return series.isLeading || bytes >= m_clusterBytes ||
           (options.clusterEntries > 0 && builder.entries() >= options.clusterEntries);
  });
  writer.budget().relieve();
}

void BatchWriter::Filler::State::writeRows(detail::BatchBuilder& builder) {
  const auto lock = m_gathering.lock();
  guard([&] {
    writeGathered(); // earlier entries come first
    try {
      series.places.append(place, writer.sink().encode(series.name, builder.batch(0)));
    } catch (...) {
      builder.clear(); // views of rows are invalid after this call
      throw;
    }
    builder.clear();
  });
}

/// Writes the gathered rows, and leaves their memory to later fillers.
void BatchWriter::Filler::State::finishRows() {
  auto some = std::exchange(rows, nullptr);
  writer.checkOpen();
  some->writeAll(); // even without entries, to add the tables
  some->setWrite(nullptr);
  const std::lock_guard lock(series.mutex);
  series.idle.push_back(std::move(some));
}

void BatchWriter::Filler::State::finish() {
  if (rows)
    finishRows();
  const auto lock = m_gathering.lock();
  if (std::exchange(isFinished, true))
    return;
  --writer.fillers();
  guard([&] {
    writer.checkOpen();
    writeGathered();
    m_joined.reset();
    m_clusters.dropIdle();
    count();
    series.places.finish(place);
  });
}

void BatchWriter::Filler::State::abandon() noexcept {
  const auto lock = m_gathering.lock();
  if (std::exchange(isFinished, true))
    return;
  --writer.fillers();
  writer.setFailed();
}

BatchWriter::Filler& BatchWriter::Implementation::ownFiller(std::string_view category) {
  if (m_lastOwn.second && m_lastOwn.first == category)
    return *m_lastOwn.second; // it checks that the writer is open
  checkOpen();
  auto own = m_own.find(category);
  if (own == m_own.end())
    own = m_own.emplace(category, Filler(newFiller(seriesOf(category), ClusterOrder::anywhere)))
              .first;
  m_lastOwn = {own->first, &own->second};
  return own->second;
}

void BatchWriter::Implementation::flush() {
  checkOpen();
  for (auto& [category, filler] : m_own)
    filler.flush();
}

void BatchWriter::Implementation::sync() {
  flush();
  m_sink->sync();
}

std::unique_ptr<BatchWriter::Filler::State>
BatchWriter::Implementation::makeFiller(std::string_view category, std::uint64_t place) {
  checkOpen();
  Series& series = seriesOf(category);
  if (!series.places.take(place))
    fail(ErrorKind::usage, name(), ": place ", place, " of '", category, "' is taken already");
  return newFiller(series, place);
}

/// Returns a filler with the rows of a finished one, if there is one.
std::unique_ptr<BatchWriter::Filler::State>
BatchWriter::Implementation::newFiller(Series& series, std::uint64_t place) {
  auto filler = std::make_unique<Filler::State>(*this, series, place);
  const std::lock_guard lock(series.mutex);
  if (!series.idle.empty()) {
    filler->setRows(std::move(series.idle.back()));
    series.idle.pop_back();
  }
  return filler;
}

void BatchWriter::Implementation::finish() {
  checkOpen();
  for (auto& [category, filler] : m_own)
    filler.finish();
  m_lastOwn = {};
  m_own.clear(); // if checkFilled() throws, write() makes new ones
  checkFilled();
  if (m_beforeFinish)
    m_beforeFinish();
  try {
    warnOfUnused();
    warnOfSeveralTypes();
    m_sink->finish();
  } catch (...) {
    setFailed();
    throw;
  }
  const std::lock_guard lock(m_mutex);
  m_state = WriterState::finished;
}

/// Throws Error(usage) if fillers are unfinished or places are missing.
void BatchWriter::Implementation::checkFilled() const {
  const std::lock_guard lock(m_mutex);
  if (const std::size_t open = m_fillers; open > 0)
    fail(ErrorKind::usage, name(), ": is being filled by ", counted(open, "filler"),
         open == 1 ? "; finish it" : "; finish them", " first");
  for (const auto& series : m_series)
    if (const auto place = series->places.missing())
      fail(ErrorKind::usage, name(), ": nothing was written to place ", *place, " of '",
           series->name, "', but later places wait for it");
}

Series& BatchWriter::Implementation::seriesOf(std::string_view category) {
  const std::lock_guard lock(m_mutex);
  if (const auto known = m_named.find(category); known != m_named.end())
    return *known->second;
  Series& added = *m_series.emplace_back(std::make_unique<Series>(*m_sink, category, m_budget));
  m_named.emplace(added.name, &added);
  return added;
}

/// Warns of options for names that were not written. They are probably misspelt.
void BatchWriter::Implementation::warnOfUnused() const {
  OptionNames written;
  for (const auto& series : m_series)
    written.add(series->tables.schema);
  if (written.empty())
    return;
  for (const OptionNames::Unknown& unknown : written.unknownIn(m_options))
    warn(WarningKind::unusedOption, name() + ": " + unknown.warning());
}

/// Warns of parameters with numbers of several types, such as integers in some events and floats in
/// others. They read as several columns, each without the events of the others. Numbers and texts
/// with the same name are intended, because podio has them.
void BatchWriter::Implementation::warnOfSeveralTypes() const {
  for (const auto& series : m_series) {
    const Schema& schema = series->tables.schema;
    for (const Table& table : schema.tables()) {
      const Table first = schema.table(schema.find(table.name));
      if (table.kind == TableKind::parameter && first.type != table.type &&
          !first.members.empty() && !table.members.empty())
        warn(WarningKind::severalTypes,
             name() + ": the parameter '" + std::string(table.name) + "' of '" + series->name +
                 "' was written as " + std::string(first.type) + " and as " +
                 std::string(table.type) +
                 ", which become two columns: give all events values of one type");
    }
  }
}

BatchWriter::BatchWriter(std::unique_ptr<Sink> sink, WriterOptions options)
    : m_implementation(std::make_unique<Implementation>(std::move(sink), std::move(options)),
                       "writer") {}
BatchWriter::~BatchWriter() = default;
BatchWriter::BatchWriter(BatchWriter&&) noexcept = default;
BatchWriter& BatchWriter::operator=(BatchWriter&&) noexcept = default;

void BatchWriter::write(std::string_view category, const Batch& batch) {
  ownFiller(category).write(batch);
}
void BatchWriter::writeCopy(std::string_view category, const Batch& batch) {
  ownFiller(category).writeCopy(batch);
}
void BatchWriter::flush() { m_implementation->flush(); }
void BatchWriter::sync() { m_implementation->sync(); }
BatchWriter::Filler BatchWriter::filler(std::string_view category) {
  return Filler(m_implementation->makeFiller(category, ClusterOrder::anywhere));
}
BatchWriter::Filler BatchWriter::filler(std::string_view category, std::uint64_t place) {
  return Filler(m_implementation->makeFiller(category, place));
}
BatchWriter::Filler& BatchWriter::ownFiller(std::string_view category) {
  return m_implementation->ownFiller(category);
}
detail::SharedTables& BatchWriter::tables(std::string_view category) {
  return m_implementation->seriesOf(category).tables;
}
bool BatchWriter::isLeading(std::string_view category) const {
  return m_implementation->sink().isLeading(category);
}
const WriterOptions& BatchWriter::options() const { return m_implementation->options(); }
detail::MemoryBudget& BatchWriter::memoryBudget() { return m_implementation->budget(); }
const std::string& BatchWriter::name() const { return m_implementation->name(); }
void BatchWriter::checkOpen() const { m_implementation->checkOpen(); }
void BatchWriter::putDocument(std::string_view name, std::string_view text) {
  m_implementation->putDocument(name, text);
}
void BatchWriter::putObject(std::string_view name, const ObjectTree& object) {
  m_implementation->putObject(name, object);
}
void BatchWriter::setBeforeFinish(std::function<void()> call) {
  m_implementation->setBeforeFinish(std::move(call));
}

void BatchWriter::addColumns(std::string_view category, std::string_view columns) {
  m_implementation->addColumns(category, columns);
}
void BatchWriter::finish() { m_implementation->finish(); }
void BatchWriter::abandon() noexcept {
  if (m_implementation.isValid())
    m_implementation->setFailed();
}

BatchWriter::Filler::Filler(std::unique_ptr<State> state) : m_state(std::move(state), "filler") {}
BatchWriter::Filler::Filler(Filler&&) noexcept = default;
BatchWriter::Filler::~Filler() {
  if (!m_state.isValid())
    return;
  if (m_state->unwinding.hasBegun()) {
    m_state->abandon(); // entries of the thread are missing
    return;
  }
  try {
    finish();
  } catch (...) { // the writer knows that the file cannot be completed
  }
}
void BatchWriter::Filler::write(const Batch& batch) { m_state->write(batch, BatchOrigin::program); }
void BatchWriter::Filler::writeCopy(const Batch& batch) {
  m_state->write(batch, BatchOrigin::file);
}
void BatchWriter::Filler::flush() { m_state->flush(); }
detail::RowGatherer* BatchWriter::Filler::gatherer() const {
  return m_state->rows ? &m_state->rows->gatherer() : nullptr;
}
void BatchWriter::Filler::setGatherer(std::unique_ptr<detail::RowGatherer> gatherer) {
  m_state->checkOpen();
  const WriterOptions& options = m_state->writer.options();
  m_state->setRows(std::make_unique<GatheredRows>(m_state->writer.budget(), std::move(gatherer),
                                                  bytesOfHugeEntry(options)));
}
void BatchWriter::Filler::gather(const std::function<void()>& add,
                                 const std::function<void()>& accept) {
  m_state->gatherRows(add, accept);
}
void BatchWriter::Filler::finish() { m_state->finish(); }

} // namespace kaon
