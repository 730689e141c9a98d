#include <kaon/event/Writer.h>

#include <kaon/base/Error.h>
#include <kaon/event/FrameGatherer.h>
#include <kaon/io/ByteSink.h>
#include <kaon/store/FileWriter.h>

#include <exception>
#include <memory>
#include <set>

namespace kaon {

class Writer::Implementation {
public:
  Implementation(const std::string& path, WriterOptions options)
      : m_path(path), m_options(std::move(options)),
        m_sink(io::fileSink(path), {m_options.codec, m_options.pageBytes}),
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
             const std::vector<std::string>* collections) {
    checkOpen();
    m_state = State::failed; // unless all goes well
    Series& series = seriesOf(category);
    FrameContents& contents = frame.contents();
    for (const FrameContents::Put& put : contents.putCollections())
      addModel(put.collection->data().type());
    if (contents.reader())
      addModels(*contents.reader());
    series.gatherer.add(contents, collections);
    if (series.gatherer.builder().bytes() >= m_options.clusterBytes)
      flush(series);
    m_state = State::open;
  }

  void finish() {
    checkOpen();
    m_state = State::failed;
    for (const auto& series : m_series)
      flush(*series);
    m_sink.finish();
    m_state = State::finished;
  }

private:
  enum class State { open, finished, failed };
  struct Series {
    Series(std::string_view categoryName, std::function<Layout(std::string_view)> layoutOf)
        : name(categoryName), gatherer(std::move(layoutOf)) {}
    std::string name;
    FrameGatherer gatherer;
    std::uint64_t written = 0;
  };

  void checkOpen() const {
    if (m_state == State::finished)
      fail(ErrorKind::usage, m_path, ": is finished; nothing can be written any more");
    if (m_state == State::failed)
      fail(ErrorKind::usage, m_path, ": an earlier write failed; the file cannot be completed");
  }

  Series& seriesOf(std::string_view category) {
    for (const auto& series : m_series)
      if (series->name == category)
        return *series;
    const auto layoutOf = [this](std::string_view collection) {
      const auto own = m_options.layouts.find(collection);
      return own == m_options.layouts.end() ? m_options.layout : own->second;
    };
    return *m_series.emplace_back(std::make_unique<Series>(category, layoutOf));
  }

  void flush(Series& series) {
    BatchBuilder& builder = series.gatherer.builder();
    m_sink.write(series.name, builder.batch(series.written));
    series.written += builder.entries();
    builder.clear();
  }

  void addModel(const Datatype& type) {
    if (m_models.insert(type.model).second)
      m_sink.addDocument("model:" + std::string(type.model->name), type.model->json);
  }

  /// The models of a file that frames come from go on with what they describe.
  void addModels(const EntryReader& reader) {
    const File& file = *reader.file();
    if (m_files.insert(reader.file()).second)
      for (const std::string& name : file.documents())
        m_sink.addDocument(name, file.document(name));
  }

  std::string m_path;
  WriterOptions m_options;
  store::FileWriter m_sink;
  std::vector<std::unique_ptr<Series>> m_series;
  std::set<const ModelInfo*> m_models;
  std::set<std::weak_ptr<const File>, std::owner_less<>> m_files; // closed ones too
  State m_state = State::open;
  int m_exceptions;
};

Writer::Writer(const std::string& path, WriterOptions options)
    : m_implementation(std::make_unique<Implementation>(path, std::move(options))) {}
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
void Writer::finish() { m_implementation->finish(); }

} // namespace kaon
