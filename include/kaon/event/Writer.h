#pragma once

#include <kaon/detail/base/Owned.h>
#include <kaon/event/Frame.h>
#include <kaon/io/ByteSink.h>
#include <kaon/model/Metadata.h>
#include <kaon/writing/WriterOptions.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// Writes frames to a file of any format that kaon can write. The new file appears at `path` when
/// it is finished. A file that exists at `path` stays complete until then; it is replaced without a
/// question. Several threads may write, each with its own filler. After a writer was moved from,
/// all its functions throw Error(usage).
class Writer {
  class Implementation;

public:
  explicit Writer(const std::string& path, WriterOptions options = {});
  /// Writes to new bytes: memory or a stream.
  explicit Writer(std::unique_ptr<io::ByteSink> bytes, WriterOptions options = {});
  /// Writes to any sink, such as a memory::MemoryFile's. The sink decides on codecs, pages and
  /// appending; options about these are ignored.
  explicit Writer(std::unique_ptr<Sink> sink, WriterOptions options = {});
  /// Finishes the file if finish() was not called, and swallows errors: call finish() to see them.
  /// While an exception unwinds the stack, the file is left unfinished, as `path`.part.
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  /// Appends a frame to a category, with all its collections or the named ones, and all its
  /// parameters. The frame may be destroyed afterwards. Throws Error(usage) after finish(), or if
  /// an object is related to one outside the frame's collections. Throws Error(name) for unknown
  /// names, and Error(type) if a collection had another datatype in earlier frames. After these
  /// errors the frame is not written, but others can be. Throws Error(io) if writing fails; the
  /// file cannot be completed then, and the file at `path` stays. For one thread at a time.
  void write(const Frame& frame, std::string_view category);
  void write(const Frame& frame, std::string_view category,
             const std::vector<std::string>& collections);

  /// Gathers the frames of one category for one thread. Has the lifetime rules of
  /// BatchWriter::Filler.
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
    detail::Owned<State> m_state;
  };
  /// Return fillers without and with a place, like those of BatchWriter. Any thread.
  [[nodiscard]] Filler filler(std::string_view category);
  [[nodiscard]] Filler filler(std::string_view category, std::uint64_t place);

  /// Returns the metadata that the file will have; when appending, it begins with the file's
  /// metadata. One thread may change it until finish(). Values that you set are kept. The metadata
  /// of the files that frames come from, of their categories and collections, are merged by the
  /// rules, once per file. Values that the rules cannot merge are left out, with a warning.
  [[nodiscard]] Metadata& metadata();

  /// Adds a text to the file; replaces a text of the same name. A text "metadata" replaces
  /// metadata(); throws Error(corrupt) if it is not valid metadata. Any thread.
  void putDocument(std::string_view name, std::string_view text);

  /// As BatchWriter::finish().
  void finish();

private:
  explicit Writer(std::unique_ptr<Implementation> implementation);

  detail::Owned<Implementation> m_implementation;
};

} // namespace kaon
