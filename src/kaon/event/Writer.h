#pragma once

#include <kaon/base/Owned.h>
#include <kaon/batch/WriterOptions.h>
#include <kaon/event/Frame.h>
#include <kaon/io/ByteSink.h>
#include <kaon/model/Metadata.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// Writes frames to a file of any format that kaon writes. A new one takes its place at `path` when
/// it is finished, without asking that of a file that is there, which stays whole until then.
/// Several threads may write: each by a filler of its own. After it was moved away all functions
/// throw Error(usage).
class Writer {
  class Implementation;

public:
  explicit Writer(const std::string& path, WriterOptions options = {});
  /// To bytes that are new: memory, a stream.
  explicit Writer(std::unique_ptr<io::ByteSink> bytes, WriterOptions options = {});
  /// To any sink, such as memory::MemoryFile's. Of the options those about codecs, pages and
  /// appending are the sink's own.
  explicit Writer(std::unique_ptr<Sink> sink, WriterOptions options = {});
  /// Finishes the file if that was not done, and swallows what goes wrong: call finish() to know.
  /// While an exception is under way the file is left unfinished, as `path`.part.
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  /// Appends a frame to a category, with all its collections or with those named, and all its
  /// parameters. The frame may go afterwards. Throws Error(io) if writing fails, Error(usage) after
  /// finish() and if an object is related to one that is in no collection of the frame, Error(name)
  /// for unknown names, Error(type) if a collection had another datatype in earlier frames: then
  /// the frame is not written, and others can be. After Error(io) the file cannot be completed;
  /// what was at `path` stays. For one thread at a time.
  void write(const Frame& frame, std::string_view category);
  void write(const Frame& frame, std::string_view category,
             const std::vector<std::string>& collections);

  /// Gathers the frames of one category for one thread. Lives and dies as a BatchWriter::Filler.
  class Filler {
  public:
    Filler(Filler&&) noexcept;
    Filler& operator=(Filler&&) = delete;
    ~Filler();
    /// As Writer::write().
    void write(const Frame& frame);
    void write(const Frame& frame, const std::vector<std::string>& collections);
    void finish();

  private:
    friend class Writer;
    struct State;
    explicit Filler(std::unique_ptr<State> state);
    Owned<State> m_state;
  };
  /// Fillers without and with a place, as those of BatchWriter. Any thread.
  [[nodiscard]] Filler filler(std::string_view category);
  [[nodiscard]] Filler filler(std::string_view category, std::uint64_t place);

  /// What the file is to say about itself, as it says before frames are appended to it. Can be
  /// changed until finish(), by one thread. What is set here is kept as it is; else what the files
  /// say that frames come from, of themselves, of the categories and of their collections, is
  /// merged by the rules, each file's once. Where these do not allow it, it is left out, with a
  /// warning.
  [[nodiscard]] Metadata& metadata();

  /// Adds a text to the file; one of the same name is replaced. "metadata" are those of metadata():
  /// Error(corrupt) if they are something else. Any thread.
  void putDocument(std::string_view name, std::string_view text);

  /// As BatchWriter::finish().
  void finish();

private:
  explicit Writer(std::unique_ptr<Implementation> implementation);

  Owned<Implementation> m_implementation;
};

} // namespace kaon
