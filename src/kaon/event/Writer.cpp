#include <kaon/event/Writer.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Warning.h>
#include <kaon/event/FileMetadata.h>
#include <kaon/event/FrameGatherer.h>
#include <kaon/formats/kaon/Contents.h>
#include <kaon/formats/kaon/FileReader.h>
#include <kaon/formats/kaon/FileWriter.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace kaon {
namespace {

/// The place of fillers whose clusters come wherever they fall.
constexpr std::uint64_t anywhere = std::numeric_limits<std::uint64_t>::max();

store::FileOptions fileOptions(const WriterOptions& options) {
  return {options.codec, options.pageBytes, options.encodings};
}

std::unique_ptr<store::FileWriter> makeSink(const std::string& path, const WriterOptions& options) {
  store::FileOptions file = fileOptions(options);
  if (!options.append)
    return std::make_unique<store::FileWriter>(io::fileSink(path), std::move(file));
  auto sink = io::appendSink(path); // locked from here on
  return std::make_unique<store::FileWriter>(
      std::move(sink), store::readContents(*io::fileSource(path)), std::move(file));
}

} // namespace

class Writer::Implementation {
public:
  Implementation(const std::string& path, WriterOptions options)
      : m_path(path), m_options(std::move(options)), m_arrangement(arrangementOf(m_options)),
        m_sink(makeSink(path, m_options)),
        m_metadata(m_options.append ? readMetadata(*store::openFile(io::fileSource(path)))
                                    : Metadata()),
        m_exceptions(std::uncaught_exceptions()) {}
  Implementation(std::unique_ptr<io::ByteSink> sink, WriterOptions options)
      : m_path(sink->name()), m_options(std::move(options)),
        m_arrangement(arrangementOf(m_options)),
        m_sink(std::make_unique<store::FileWriter>(std::move(sink), fileOptions(m_options))),
        m_exceptions(std::uncaught_exceptions()) {}
  ~Implementation() {
    if (m_state != State::open || std::uncaught_exceptions() > m_exceptions)
      return;
    try {
      finish();
    } catch (...) { // a destructor cannot say it; the file does not take its place
    }
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void write(const Frame& frame, std::string_view category,
             const std::vector<std::string>* collections);
  [[nodiscard]] std::unique_ptr<Filler::State> makeFiller(std::string_view category,
                                                          std::uint64_t place);
  void putDocument(std::string_view name, std::string_view text) {
    checkOpen();
    if (name != metadataDocument)
      return m_sink->addDocument(name, text);
    const std::lock_guard lock(m_mutex);
    m_metadata.own() = Metadata::fromJson(text, m_path + ": the metadata"); // until finish()
  }
  [[nodiscard]] Metadata& metadata() noexcept { return m_metadata.own(); }
  void finish();

private:
  friend struct Filler::State;
  enum class State { open, finished, failed };
  struct Series { // a category
    std::string name;
    FrameGatherer::SharedTables tables;
    // Clusters that wait for those of lower places, and whether their filler is finished.
    struct Waiting {
      std::vector<std::unique_ptr<store::FileWriter::Encoded>> clusters;
      bool isFinished = false;
    };
    std::map<std::uint64_t, Waiting> waiting;
    std::uint64_t nextPlace = 0;
    std::vector<std::unique_ptr<FrameGatherer>> idle; // of finished fillers, kept for its memory
    std::unique_ptr<Filler::State> own;               // for write()
  };

  void checkOpen() const {
    const std::lock_guard lock(m_mutex);
    if (m_state == State::finished)
      fail(ErrorKind::usage, m_path, ": is finished; nothing can be written any more");
    if (m_state == State::failed)
      fail(ErrorKind::usage, m_path, ": an earlier write failed; the file cannot be completed");
  }
  void setFailed() noexcept {
    const std::lock_guard lock(m_mutex);
    m_state = State::failed;
  }
  Series& seriesOf(std::string_view category);
  void append(Series& series, std::uint64_t place,
              std::unique_ptr<store::FileWriter::Encoded> cluster);
  void finishPlace(Series& series, std::uint64_t place);
  [[nodiscard]] std::unique_ptr<FrameGatherer> takeGatherer(Series& series);
  void giveBack(Series& series, std::unique_ptr<FrameGatherer> gatherer);
  void addTexts(FrameContents& contents, const Series& series);
  void warnOfUnused() const;

  std::string m_path;
  WriterOptions m_options;
  Arrangement m_arrangement;
  std::unique_ptr<store::FileWriter> m_sink;
  WrittenMetadata m_metadata;
  int m_exceptions;

  mutable std::mutex m_mutex; // of all that follows
  std::vector<std::unique_ptr<Series>> m_series;
  std::set<const ModelInfo*> m_models;
  // Files that frames came from, closed ones too; which of their categories went to which.
  using Ways = std::set<std::pair<const Source*, const Series*>>;
  std::map<std::weak_ptr<const File>, Ways, std::owner_less<>> m_files;
  std::atomic<std::size_t> m_fillers = 0; // that are not finished
  State m_state = State::open;
};

struct Writer::Filler::State {
  State(Implementation& owner, Implementation::Series& category, std::uint64_t where)
      : writer(owner), series(category), place(where), gatherer(owner.takeGatherer(category)) {
    ++writer.m_fillers;
  }

  void write(const Frame& frame, const std::vector<std::string>* collections) {
    writer.checkOpen();
    if (isFinished)
      fail(ErrorKind::usage, writer.m_path, ": this filler of '", series.name, "' is finished");
    try {
      writer.addTexts(frame.contents(), series);
      gatherer->add(frame.contents(), collections);
      const BatchBuilder& builder = gatherer->builder();
      const std::uint32_t most = writer.m_options.clusterEntries;
      if (builder.bytes() >= writer.m_options.bytesOfCluster(builder.schema().columns().size()) ||
          (most > 0 && builder.entries() >= most))
        flush();
    } catch (...) {
      writer.setFailed();
      throw;
    }
  }

  /// Gives up: the file lacks what was gathered, and what was to come.
  void abandon() noexcept {
    if (std::exchange(isFinished, true))
      return;
    --writer.m_fillers;
    writer.setFailed();
  }

  void flush() {
    BatchBuilder& builder = gatherer->builder();
    writer.append(series, place, writer.m_sink->encode(series.name, builder.batch(0)));
    builder.clear();
  }

  void finish() {
    if (std::exchange(isFinished, true))
      return;
    --writer.m_fillers;
    try {
      flush();
      writer.giveBack(series, std::move(gatherer));
      writer.finishPlace(series, place);
    } catch (...) {
      writer.setFailed();
      throw;
    }
  }

  Implementation& writer;
  Implementation::Series& series;
  std::uint64_t place;
  std::unique_ptr<FrameGatherer> gatherer;
  int exceptions = std::uncaught_exceptions();
  bool isFinished = false;
};

void Writer::Implementation::write(const Frame& frame, std::string_view category,
                                   const std::vector<std::string>* collections) {
  checkOpen();
  Series& series = seriesOf(category);
  if (!series.own)
    series.own = std::make_unique<Filler::State>(*this, series, anywhere);
  series.own->write(frame, collections);
}

std::unique_ptr<Writer::Filler::State> Writer::Implementation::makeFiller(std::string_view category,
                                                                          std::uint64_t place) {
  checkOpen();
  Series& series = seriesOf(category);
  if (place != anywhere) {
    const std::lock_guard lock(m_mutex);
    if (place < series.nextPlace || series.waiting.contains(place))
      fail(ErrorKind::usage, m_path, ": place ", place, " of '", category, "' is taken already");
    series.waiting[place];
  }
  return std::make_unique<Filler::State>(*this, series, place);
}

void Writer::Implementation::finish() {
  checkOpen();
  try {
    for (const auto& series : m_series)
      if (series->own)
        series->own->finish();
    {
      const std::lock_guard lock(m_mutex);
      if (m_fillers > 0)
        fail(ErrorKind::usage, m_path, ": is being filled by ", m_fillers,
             " fillers; finish them first");
      for (const auto& series : m_series)
        if (!series->waiting.empty())
          fail(ErrorKind::usage, m_path, ": nothing was written to place ", series->nextPlace,
               " of '", series->name, "', for which others wait");
    }
    warnOfUnused();
    if (const auto metadata = m_metadata.document(m_path))
      m_sink->addDocument(metadataDocument, *metadata);
    m_sink->finish();
  } catch (...) {
    setFailed();
    throw;
  }
  const std::lock_guard lock(m_mutex);
  m_state = State::finished;
}

Writer::Implementation::Series& Writer::Implementation::seriesOf(std::string_view category) {
  const std::lock_guard lock(m_mutex);
  for (const auto& series : m_series)
    if (series->name == category)
      return *series;
  auto made = std::make_unique<Series>();
  made->name = category;
  made->tables.schema = m_sink->schema(category);
  return *m_series.emplace_back(std::move(made));
}

/// Appends a cluster, or keeps it until those of the lower places are there.
void Writer::Implementation::append(Series& series, std::uint64_t place,
                                    std::unique_ptr<store::FileWriter::Encoded> cluster) {
  if (place != anywhere) {
    const std::lock_guard lock(m_mutex);
    if (place != series.nextPlace) {
      series.waiting[place].clusters.push_back(std::move(cluster));
      return;
    }
  }
  m_sink->append(std::move(cluster));
}

std::unique_ptr<FrameGatherer> Writer::Implementation::takeGatherer(Series& series) {
  const std::lock_guard lock(m_mutex);
  if (series.idle.empty())
    return std::make_unique<FrameGatherer>(m_arrangement, series.tables);
  auto last = std::move(series.idle.back());
  series.idle.pop_back();
  return last;
}

void Writer::Implementation::giveBack(Series& series, std::unique_ptr<FrameGatherer> gatherer) {
  const std::lock_guard lock(m_mutex);
  series.idle.push_back(std::move(gatherer));
}

/// Appends what waited for this place.
void Writer::Implementation::finishPlace(Series& series, std::uint64_t place) {
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
void Writer::Implementation::warnOfUnused() const {
  std::vector<std::string> known;
  for (const auto& series : m_series) {
    const Schema& schema = series->tables.schema;
    for (std::uint32_t table = 0; table < schema.size(); ++table) {
      known.emplace_back(schema.table(table).name);
      for (std::uint32_t member = 0; member < schema.table(table).members.size(); ++member)
        known.push_back(schema.nameOfMember(table, member));
    }
  }
  const auto check = [&](const std::string& name, const char* option) {
    if (!known.empty() && std::ranges::find(known, name) == known.end())
      warn(m_path + ": nothing that was written is called '" + name + "', as the option " + option +
           " says" + suggestion(name, known));
  };
  for (const auto& [name, storage] : m_options.storage)
    check(name, "storage");
  for (const auto& [name, encoding] : m_options.encodings)
    check(name, "encodings");
  for (const std::string& name : m_options.tags)
    check(name, "tags");
  for (const std::string& name : m_options.keys)
    check(name, "keys");
}

/// Models of what a frame holds, and what the file that it comes from says, go into the file too.
void Writer::Implementation::addTexts(FrameContents& contents, const Series& series) {
  const std::lock_guard lock(m_mutex);
  for (const FrameContents::Put& put : contents.putCollections()) {
    if (!put.collection)
      continue;
    const ModelInfo* const model = put.collection->data().type().model;
    if (model && m_models.insert(model).second)
      m_sink->addDocument("model:" + std::string(model->name), model->json);
  }
  if (!contents.reader())
    return;
  const std::shared_ptr<const File>& file = contents.reader()->file();
  Ways& ways = m_files[file];
  const bool isNew = ways.empty();
  if (!ways.insert({&contents.reader()->source(), &series}).second)
    return;
  if (m_options.copyMetadata)
    m_metadata.addSource(*file, contents.reader()->source(), series.name);
  if (!isNew)
    return;
  for (const std::string& name : file->documents())
    if (name.starts_with("model:"))
      m_sink->addDocument(name, file->document(name));
  if (m_options.provenance)
    m_sink->addDocument("source:" + std::to_string(file->id()), file->name());
}

Writer::Writer(const std::string& path, WriterOptions options)
    : m_implementation(std::make_unique<Implementation>(path, std::move(options))) {}
Writer::Writer(std::unique_ptr<io::ByteSink> sink, WriterOptions options)
    : m_implementation(std::make_unique<Implementation>(std::move(sink), std::move(options))) {}
Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

void Writer::write(const Frame& frame, std::string_view category) {
  m_implementation->write(frame, category, nullptr);
}
void Writer::write(const Frame& frame, std::string_view category,
                   const std::vector<std::string>& collections) {
  m_implementation->write(frame, category, &collections);
}
Writer::Filler Writer::filler(std::string_view category) {
  return Filler(m_implementation->makeFiller(category, anywhere));
}
Writer::Filler Writer::filler(std::string_view category, std::uint64_t place) {
  return Filler(m_implementation->makeFiller(category, place));
}
void Writer::putDocument(std::string_view name, std::string_view text) {
  m_implementation->putDocument(name, text);
}
Metadata& Writer::metadata() { return m_implementation->metadata(); }
void Writer::finish() { m_implementation->finish(); }

Writer::Filler::Filler(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Writer::Filler::Filler(Filler&&) noexcept = default;
Writer::Filler::~Filler() {
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
void Writer::Filler::write(const Frame& frame) { m_state->write(frame, nullptr); }
void Writer::Filler::write(const Frame& frame, const std::vector<std::string>& collections) {
  m_state->write(frame, &collections);
}
void Writer::Filler::finish() { m_state->finish(); }

} // namespace kaon
