#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>
#include <kaon/batch/Verification.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>
#include <kaon/writing/BatchWriter.h>

#include <functional>
#include <memory>
#include <string>

// Files of any format that kaon knows, recognised by their first bytes or their name.

namespace kaon {

/// Opens a file of the file system. If kaon was built with libcurl, also opens a file of a web
/// server by its URL, http:// or https://. Opens a file of tables, such as Parquet, after a call of
/// openTablesBy(). Throws Error(io) if the file cannot be read, Error(version) if its format is
/// unknown, and Error(corrupt) if it is damaged. Of a file that was cut or not finished, reads the
/// complete part, with a warning.
[[nodiscard]] std::shared_ptr<const File> open(const std::string& path,
                                               const OpenOptions& options = {});
/// Opens bytes of any origin as a file of the format that their beginning shows.
[[nodiscard]] std::shared_ptr<const File> open(std::unique_ptr<io::ByteSource> bytes,
                                               const OpenOptions& options = {});

/// Returns the bytes at a URL. Several threads may call it at the same time. Throws Error(missing)
/// if there are no bytes, Error(io) if they cannot be read, and Error(usage) if it does not support
/// the URL.
using UrlOpener = std::function<std::unique_ptr<io::ByteSource>(const std::string& url)>;

/// Sets the opener for all URLs, for protocols that kaon does not know or for credentials. Without
/// an opener, libcurl opens http:// and https://. Any thread.
void openUrlsBy(UrlOpener opener);

/// Returns the bytes of a kaon file with the contents of a file of tables. Several threads may call
/// it at the same time. open() passes its exceptions on.
using TableOpener = std::function<std::unique_ptr<io::ByteSource>(const std::string& path)>;

/// Sets the opener for files of tables. Any thread.
void openTablesBy(TableOpener opener);

/// Creates a file of the format of its path's suffix, kaon's by default. It appears at `path` when
/// it is finished; an older file stays until then. Throws Error(io).
[[nodiscard]] std::unique_ptr<Sink> create(const std::string& path,
                                           const SinkOptions& options = {});
/// Creates a file that writes to a new sink of bytes; the sink's name determines the format.
[[nodiscard]] std::unique_ptr<Sink> create(std::unique_ptr<io::ByteSink> bytes,
                                           const SinkOptions& options = {});
/// Appends to the file at `path`, whose contents stay unchanged unless all goes well. If the last
/// writer of the file was killed, finishes it first, with a warning. If sound data follow behind
/// damage, they replace the file, which is kept as `path`.damaged. Throws Error(usage) if files of
/// its format cannot be appended to.
[[nodiscard]] std::unique_ptr<Sink> append(const std::string& path,
                                           const SinkOptions& options = {});

/// Writes batches to a new file, or appends them if the options say so.
[[nodiscard]] BatchWriter batchWriter(const std::string& path, WriterOptions options = {});

/// Checks a file as far as possible: its format, and the consistency of its contents. For formats
/// without a better check, reads the whole file. Returns damage as findings. Throws Error(version)
/// if the format is unknown, Error(io) if the file cannot be read. Any thread.
[[nodiscard]] Verification verify(const std::string& path, const Progress& progress = {});

/// The sound data of a damaged file, and a report of the others.
struct DamagedFile {
  std::shared_ptr<const File> file;
  Recovery report;
};

/// Opens a .kaon file that may be damaged anywhere, like open(), and checks all its pages. The
/// result has only sound data. An entry is left out if one of its columns is damaged; the others
/// are numbered from 0. A collection, parameter or value is left out as a whole if fewer values are
/// lost that way. Lost values are never replaced.
///
/// Throws Error(corrupt) if nothing is sound. Throws Error(usage) for files of other formats.
[[nodiscard]] DamagedFile openDamaged(const std::string& path, const OpenOptions& options = {});
[[nodiscard]] DamagedFile openDamaged(std::unique_ptr<io::ByteSource> bytes,
                                      const OpenOptions& options = {});

} // namespace kaon
