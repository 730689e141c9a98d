#include <kaon/event/Writer.h>

#include <kaon/base/Error.h>
#include <kaon/base/Unwinding.h>
#include <kaon/event/FrameBatchBuilder.h>
#include <kaon/event/FrameDocuments.h>
#include <kaon/files/Files.h>
#include <kaon/writing/BatchWriter.h>
#include <kaon/writing/MemoryBudget.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace kaon {
namespace {

/// The frames of a category that a filler gathers. Finished fillers leave them for reuse: they keep
/// their memory and know the tables. If memory is short, any thread may write them.
class GatheredFrames {
public:
  GatheredFrames(const detail::StorageRules& rules, const std::string& category,
                 BatchWriter& writer)
      : m_budget(writer.memoryBudget()),
        m_frames(rules, writer.options().provenance, writer.tables(category)),
        m_gathering(m_budget, [this] { giveBack(); }) {}

  /// Sets the filler that they belong to; null for none.
  void setFiller(BatchWriter::Filler* filler) {
    const auto lock = m_gathering.lock();
    m_filler = filler;
  }
  /// Appends a frame, calls `accept()` if it was accepted, and writes frames that fill a cluster.
  template <class Accept>
  void add(detail::FrameContents& frame, const std::vector<std::string>* collections,
           Accept accept) {
    const auto lock = m_gathering.lock();
    m_frames.add(frame, collections);
    accept();
    m_mostBytes = std::max(m_mostBytes, m_filler->writeFull(m_frames.builder()));
    if (m_frames.builder().entries() == 0 && m_budget.isShort())
      release();
    m_gathering.setBytes(m_mostBytes);
  }
  void writeAll() {
    const auto lock = m_gathering.lock();
    m_filler->writeAll(m_frames.builder());
  }

private:
  void release() {
    m_frames.builder().release();
    m_mostBytes = 0;
  }
  void giveBack() {
    if (m_filler && m_frames.builder().entries() > 0)
      m_filler->writeAll(m_frames.builder());
    release();
    m_gathering.setBytes(m_mostBytes);
  }

  detail::MemoryBudget& m_budget;
  BatchWriter::Filler* m_filler = nullptr;
  FrameBatchBuilder m_frames;
  std::size_t m_mostBytes = 0; // that they ever took
  detail::MemoryBudget::Gathering m_gathering;
};

} // namespace

class Writer::Implementation {
public:
  /// `before` is the metadata of the file that is appended to.
  explicit Implementation(BatchWriter writer, Metadata before = {})
      : m_writer(std::move(writer)), m_rules(m_writer.options().rules()),
        m_documents(std::move(before)) {}
  /// Opens a new file, or one to append to. The writer comes first: it may repair the end of the
  /// file before the metadata are read.
  [[nodiscard]] static std::unique_ptr<Implementation> open(const std::string& path,
                                                            const WriterOptions& options) {
    BatchWriter writer = batchWriter(path, options);
    return std::make_unique<Implementation>(
        std::move(writer), options.append ? readMetadata(*kaon::open(path)) : Metadata());
  }
  ~Implementation();
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void write(const Frame& frame, std::string_view category,
             const std::vector<std::string>* collections);
  [[nodiscard]] std::unique_ptr<Filler::State> makeFiller(std::string_view category,
                                                          BatchWriter::Filler filler);
  [[nodiscard]] BatchWriter& writer() noexcept { return m_writer; }
  void finish();

  void addDocuments(detail::FrameContents& contents, const std::string& category) {
    if (hasNoNews(contents))
      return;
    const std::lock_guard lock(m_mutex);
    m_documents.add(contents, category, m_writer);
    for (const detail::FrameContents::Put& put : contents.putCollections())
      if (put.collection)
        m_knownModel = put.collection->data().type().model;
  }
  void putDocument(std::string_view name, std::string_view text) {
    if (name != detail::metadataDocument)
      return m_writer.putDocument(name, text);
    m_writer.checkOpen();
    const std::lock_guard lock(m_mutex); // finish() writes it
    metadata() = Metadata::fromJson(text, m_writer.name() + ": the metadata");
  }
  [[nodiscard]] Metadata& metadata() noexcept { return m_documents.metadata(); }
  [[nodiscard]] std::unique_ptr<GatheredFrames> takeFrames(const std::string& category);
  void giveBack(const std::string& category, std::unique_ptr<GatheredFrames> frames);

private:
  /// Whether the frame adds no document: most frames have the same model as the frame before. Takes
  /// no lock.
  [[nodiscard]] bool hasNoNews(detail::FrameContents& contents) const {
    const detail::ModelInfo* const known = m_knownModel.load(std::memory_order_relaxed);
    return !contents.reader() &&
           std::ranges::all_of(
               contents.putCollections(), [known](const detail::FrameContents::Put& put) {
                 return !put.collection || put.collection->data().type().model == known;
               });
  }

  BatchWriter m_writer;
  detail::StorageRules m_rules;
  Unwinding m_unwinding;
  std::atomic<const detail::ModelInfo*> m_knownModel = nullptr; // a model whose document is written

  std::mutex m_mutex; // guards the members below
  /// Frames of finished fillers by category, kept for reuse.
  std::map<std::string, std::vector<std::unique_ptr<GatheredFrames>>, std::less<>> m_idle;
  FrameDocuments m_documents;

  std::map<std::string, std::unique_ptr<Filler::State>, std::less<>> m_own; // for write()
  Filler::State* m_lastOwn = nullptr;                                       // wrote the last frame
};

struct Writer::Filler::State {
  State(Implementation& owner, std::string categoryName, BatchWriter::Filler batches)
      : writer(owner), category(std::move(categoryName)), filler(std::move(batches)),
        frames(owner.takeFrames(category)) {
    frames->setFiller(&filler);
  }

  void write(const Frame& frame, const std::vector<std::string>* collections) {
    writer.writer().checkOpen();
    if (!frames)
      fail(ErrorKind::usage, "this filler of '", category, "' is finished");
    bool isAccepted = false;
    try {
      frames->add(frame.contents(), collections, [&] {
        isAccepted = true;
        writer.addDocuments(frame.contents(), category);
      });
      writer.writer().memoryBudget().relieve();
    } catch (...) {
      if (isAccepted)
        filler.setFailed();
      throw;
    }
  }

  void finish() {
    if (!frames)
      return;
    try {
      frames->writeAll();
      frames->setFiller(nullptr);
      writer.giveBack(category, std::move(frames));
      filler.finish();
      writer.writer().memoryBudget().relieve();
    } catch (...) {
      frames.reset();
      filler.setFailed();
      throw;
    }
  }

  Implementation& writer;
  std::string category;
  BatchWriter::Filler filler;
  std::unique_ptr<GatheredFrames> frames; // null after finish()
  Unwinding unwinding;
};

Writer::Implementation::~Implementation() {
  if (m_unwinding.hasBegun())
    return;
  try {
    finish();
  } catch (...) { // a destructor cannot report it; the file does not replace the old one
  }
}

void Writer::Implementation::write(const Frame& frame, std::string_view category,
                                   const std::vector<std::string>* collections) {
  if (!m_lastOwn || m_lastOwn->category != category) { // most frames have the category of the last
    auto own = m_own.find(category);
    if (own == m_own.end())
      own = m_own.emplace(category, makeFiller(category, m_writer.filler(category))).first;
    m_lastOwn = own->second.get();
  }
  m_lastOwn->write(frame, collections);
}

std::unique_ptr<Writer::Filler::State>
Writer::Implementation::makeFiller(std::string_view category, BatchWriter::Filler filler) {
  return std::make_unique<Filler::State>(*this, std::string(category), std::move(filler));
}

void Writer::Implementation::finish() {
  m_writer.checkOpen();
  for (const auto& [category, filler] : m_own)
    filler->finish();
  m_own.clear(); // if finish() is refused, write() makes new fillers
  m_lastOwn = nullptr;
  m_documents.finish(m_writer);
  m_writer.finish();
}

std::unique_ptr<GatheredFrames> Writer::Implementation::takeFrames(const std::string& category) {
  const std::lock_guard lock(m_mutex);
  auto& idle = m_idle[category];
  if (idle.empty())
    return std::make_unique<GatheredFrames>(m_rules, category, m_writer);
  auto last = std::move(idle.back());
  idle.pop_back();
  return last;
}

void Writer::Implementation::giveBack(const std::string& category,
                                      std::unique_ptr<GatheredFrames> frames) {
  const std::lock_guard lock(m_mutex);
  m_idle[category].push_back(std::move(frames));
}

Writer::Writer(std::unique_ptr<Implementation> implementation)
    : m_implementation(std::move(implementation), "writer") {}
Writer::Writer(const std::string& path, WriterOptions options)
    : Writer(Implementation::open(path, options)) {}
Writer::Writer(std::unique_ptr<Sink> sink, WriterOptions options)
    : Writer(std::make_unique<Implementation>(BatchWriter(std::move(sink), std::move(options)))) {}
Writer::Writer(std::unique_ptr<io::ByteSink> bytes, WriterOptions options)
    : Writer(create(std::move(bytes), options.forSink()), options) {}
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
  return Filler(
      m_implementation->makeFiller(category, m_implementation->writer().filler(category)));
}
Writer::Filler Writer::filler(std::string_view category, std::uint64_t place) {
  return Filler(
      m_implementation->makeFiller(category, m_implementation->writer().filler(category, place)));
}
void Writer::putDocument(std::string_view name, std::string_view text) {
  m_implementation->putDocument(name, text);
}
Metadata& Writer::metadata() { return m_implementation->metadata(); }
void Writer::finish() { m_implementation->finish(); }

Writer::Filler::Filler(std::unique_ptr<State> state) : m_state(std::move(state), "filler") {}
Writer::Filler::Filler(Filler&&) noexcept = default;
Writer::Filler::~Filler() {
  if (!m_state.isValid() || m_state->unwinding.hasBegun())
    return; // frames not yet written are lost; the batch filler reports it
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
