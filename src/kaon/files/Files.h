#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/BatchWriter.h>
#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>
#include <kaon/batch/Verification.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>

#include <memory>
#include <string>

// Files of any format that kaon knows, by what they begin with or by their name.

namespace kaon {

/// Opens a file of the file system, or of a web server by its URL, http:// or https://, if kaon was
/// built with libcurl; one of tables, such as Parquet, if openTablesBy() was told how. Throws
/// Error(io) if it cannot be read, Error(version) if it is of no known format, Error(corrupt) if it
/// is damaged. Of one that was cut or not finished what is whole is read, with a warning.
[[nodiscard]] std::shared_ptr<const File> open(const std::string& path,
                                               const OpenOptions& options = {});
/// Opens bytes that lie anywhere as a file of the format by which they begin.
[[nodiscard]] std::shared_ptr<const File> open(std::unique_ptr<io::ByteSource> bytes,
                                               const OpenOptions& options = {});

/// A new file, of the format that the suffix of its path says, or else kaon's. It takes its place
/// when it is finished; what was there stays until then. Throws Error(io).
[[nodiscard]] std::unique_ptr<Sink> create(const std::string& path,
                                           const SinkOptions& options = {});
/// The same to a sink of bytes that is new, by its name.
[[nodiscard]] std::unique_ptr<Sink> create(std::unique_ptr<io::ByteSink> bytes,
                                           const SinkOptions& options = {});
/// Goes on behind what the file at `path` contains, which stays as it is unless all goes well. A
/// file whose last writer was killed is finished first, with a warning. Throws Error(usage) if it
/// is damaged, or files of its format cannot be appended to.
[[nodiscard]] std::unique_ptr<Sink> append(const std::string& path,
                                           const SinkOptions& options = {});

/// Writes batches to a file: a new one, or behind what it contains if the options say so.
[[nodiscard]] BatchWriter batchWriter(const std::string& path, WriterOptions options = {});

/// Checks all that can be checked of a file: that it is what it is said to be, and that all of it
/// agrees; of formats that know nothing better, by reading all of it. Damage is in the findings.
/// Throws Error(version) if it is of no known format, Error(io) if it cannot be read. Any thread.
[[nodiscard]] Verification verify(const std::string& path, const Progress& progress = {});

} // namespace kaon
