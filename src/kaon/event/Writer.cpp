#include <kaon/event/Writer.h>

#include <kaon/event/FrameBatchBuilder.h>
#include <kaon/event/FrameDocuments.h>
#include <kaon/files/Files.h>
#include <kaon/writing/BatchWriter.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace kaon {

/// Builds batches of frames for a BatchWriter, and gathers the documents of the file.
class Writer::Implementation {
public:
  /// `before` is the metadata of the file that is appended to.
  explicit Implementation(BatchWriter writer, Metadata before = {})
      : m_rules(writer.options().rules()), m_documents(std::move(before)),
        m_writer(std::move(writer)) {
    m_writer.setBeforeFinish([this] { m_documents.finish(m_writer); });
  }
  /// Opens a new file, or one to append to. The writer comes first: it may repair the end of the
  /// file before the metadata are read.
  [[nodiscard]] static std::unique_ptr<Implementation> open(const std::string& path,
                                                            const WriterOptions& options) {
    BatchWriter writer = batchWriter(path, options);
    return std::make_unique<Implementation>(
        std::move(writer), options.append ? readMetadata(*kaon::open(path)) : Metadata());
  }

  void write(const Frame& frame, std::string_view category,
             const std::vector<std::string>* collections, BatchWriter::Filler& filler);
  /// Returns the frames that a filler gathers.
  FrameBatchBuilder& framesOf(BatchWriter::Filler& filler, std::string_view category) {
    if (detail::RowGatherer* const known = filler.gatherer()) [[likely]]
      return static_cast<FrameBatchBuilder&>(*known);
    auto frames = std::make_unique<FrameBatchBuilder>(m_rules, m_writer.options().provenance,
                                                      m_writer.tables(category));
    FrameBatchBuilder& made = *frames;
    filler.setGatherer(std::move(frames));
    return made;
  }
  [[nodiscard]] BatchWriter& writer() noexcept { return m_writer; }

  void putDocument(std::string_view name, std::string_view text) {
    if (name != detail::metadataDocument)
      return m_writer.putDocument(name, text);
    m_writer.checkOpen();
    const std::lock_guard lock(m_mutex); // finish() writes it
    metadata() = Metadata::fromJson(text, m_writer.name() + ": the metadata");
  }
  [[nodiscard]] Metadata& metadata() noexcept { return m_documents.metadata(); }

private:
  void addDocuments(detail::FrameContents& contents, std::string_view category) {
    if (hasNoNews(contents))
      return;
    const std::lock_guard lock(m_mutex);
    m_documents.add(contents, std::string(category), m_writer);
    for (const detail::FrameContents::Put& put : contents.putCollections())
      if (put.collection)
        m_knownModel = put.collection->data().type().model;
  }
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

  detail::StorageRules m_rules;
  std::atomic<const detail::ModelInfo*> m_knownModel = nullptr; // a model whose document is written
  std::mutex m_mutex;                                           // for the member below
  FrameDocuments m_documents;
  BatchWriter m_writer; // destroyed first, because finishing uses the others
};

struct Writer::Filler::State {
  State(Implementation& owner, std::string name, BatchWriter::Filler batches)
      : writer(owner), category(std::move(name)), filler(std::move(batches)) {
    (void)writer.framesOf(filler, category); // makes the category, also without frames
  }
  Implementation& writer;
  std::string category;
  BatchWriter::Filler filler;
};

void Writer::Implementation::write(const Frame& frame, std::string_view category,
                                   const std::vector<std::string>* collections,
                                   BatchWriter::Filler& filler) {
  FrameBatchBuilder& frames = framesOf(filler, category);
  const auto add = [&] { frames.add(frame.contents(), collections); };
  const auto accept = [&] { addDocuments(frame.contents(), category); };
  filler.gather(std::cref(add), std::cref(accept)); // copies of them would take memory
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
  m_implementation->write(frame, category, nullptr, m_implementation->writer().ownFiller(category));
}
void Writer::write(const Frame& frame, std::string_view category,
                   const std::vector<std::string>& collections) {
  m_implementation->write(frame, category, &collections,
                          m_implementation->writer().ownFiller(category));
}
Writer::Filler Writer::filler(std::string_view category) {
  return Filler(std::make_unique<Filler::State>(*m_implementation, std::string(category),
                                                m_implementation->writer().filler(category)));
}
Writer::Filler Writer::filler(std::string_view category, std::uint64_t place) {
  return Filler(
      std::make_unique<Filler::State>(*m_implementation, std::string(category),
                                      m_implementation->writer().filler(category, place)));
}
void Writer::putDocument(std::string_view name, std::string_view text) {
  m_implementation->putDocument(name, text);
}
Metadata& Writer::metadata() { return m_implementation->metadata(); }
void Writer::finish() { m_implementation->writer().finish(); }

Writer::Filler::Filler(std::unique_ptr<State> state) : m_state(std::move(state), "filler") {}
Writer::Filler::Filler(Filler&&) noexcept = default;
Writer::Filler::~Filler() = default;
void Writer::Filler::write(const Frame& frame) {
  m_state->writer.write(frame, m_state->category, nullptr, m_state->filler);
}
void Writer::Filler::write(const Frame& frame, const std::vector<std::string>& collections) {
  m_state->writer.write(frame, m_state->category, &collections, m_state->filler);
}
void Writer::Filler::finish() { m_state->filler.finish(); }

} // namespace kaon
