#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/codec/Codec.h>
#include <kaon/event/Frame.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

struct WriterOptions {
  Compression codec = zstd(1);
  Layout layout = Layout::split;
  std::map<std::string, Layout, std::less<>> layouts = {}; ///< of single collections, by name
  std::size_t clusterBytes = 16 * 1024 * 1024; ///< decoded bytes, after which one is written
  std::size_t pageBytes = 64 * 1024;           ///< decoded bytes of a page's largest column
};

/// Writes frames to a new .kaon file, which takes its place at `path` when it is finished. For one
/// thread at a time.
class Writer {
public:
  explicit Writer(const std::string& path, WriterOptions options = {});
  /// Finishes the file if that was not done, and swallows what goes wrong: call finish() to know.
  /// While an exception is under way the file is left unfinished, as `path`.part.
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  /// Appends a frame to a category, with all its collections or with those named, and all its
  /// parameters. The frame may go afterwards. Throws Error(io) if writing fails, Error(usage) after
  /// finish() and if an object is related to one that is in no collection of the frame, Error(name)
  /// for unknown names, Error(type) if a collection had another datatype in earlier frames.
  /// After an error the file cannot be completed; what was at `path` stays.
  void write(const Frame& frame, std::string_view category);
  void write(const Frame& frame, std::string_view category,
             const std::vector<std::string>& collections);

  /// Completes the file and puts it in its place. Throws Error(io).
  void finish();

private:
  class Implementation;
  std::unique_ptr<Implementation> m_implementation;
};

} // namespace kaon
