#include <kaon/files/Files.h>

#include <kaon/base/Error.h>
#include <kaon/codec/CompressionLevels.h>
#include <kaon/files/Format.h>
#include <kaon/files/ListedEntries.h>
#include <kaon/files/Parents.h>
#include <kaon/files/PathBytes.h>
#include <kaon/files/TableFile.h>
#include <kaon/files/Tables.h>
#include <kaon/files/Urls.h>
#include <kaon/formats/kaonfile/Salvage.h>
#include <kaon/formats/kaonfile/SalvagedFile.h>
#include <kaon/reading/ReadingCheck.h>

#include <utility>

namespace kaon {

std::unique_ptr<io::ByteSource> bytesAt(const std::string& path, const OpenOptions& options) {
  if (isUrl(path))
    return bytesAtUrl(path, options);
  return io::fileSource(path, options.map);
}

namespace {

/// Makes a new sink's file durable at once if its policy needs that before it is finished.
std::unique_ptr<Sink> durable(std::unique_ptr<Sink> sink, Sync sync) {
  if (sync == Sync::cluster || sync == Sync::flush)
    sink->sync();
  return sink;
}

} // namespace

std::shared_ptr<const File> open(const std::string& path, const OpenOptions& options) {
  return withEntries(openStored(path, bytesAt(path, options), options), options);
}

std::shared_ptr<const File> open(std::unique_ptr<io::ByteSource> bytes,
                                 const OpenOptions& options) {
  return withEntries(openBytes(std::move(bytes), options), options);
}

void openUrlsBy(UrlOpener opener) { urlOpener().set(std::move(opener)); }

void openTablesBy(TableOpener opener) { tableOpener().set(std::move(opener)); }

std::unique_ptr<Sink> create(const std::string& path, const SinkOptions& options) {
  checkLevel(options.codec);
  const Format& format = formatToWrite(path, options.format);
  return durable(format.create(io::fileSink(path, options.sync), options), options.sync);
}

std::unique_ptr<Sink> create(std::unique_ptr<io::ByteSink> bytes, const SinkOptions& options) {
  checkLevel(options.codec);
  const Format& format = formatToWrite(bytes->name(), options.format);
  return durable(format.create(std::move(bytes), options), options.sync);
}

std::unique_ptr<Sink> append(const std::string& path, const SinkOptions& options) {
  checkLevel(options.codec);
  const Format& format = formatOf(*io::fileSource(path));
  if (!format.append)
    fail(ErrorKind::usage, path, ": nothing can be appended to files of ", format.name);
  return durable(format.append(path, options), options.sync);
}

BatchWriter batchWriter(const std::string& path, WriterOptions options) {
  std::unique_ptr<Sink> sink =
      options.append ? append(path, options.forSink()) : create(path, options.forSink());
  return {std::move(sink), std::move(options)};
}

Verification verify(const std::string& path, const Progress& progress) {
  auto bytes = bytesAt(path, {});
  if (!isUrl(path) && isTable(*bytes))
    if (auto table = bytesOfTable(path)) // its maker has checked it
      return checkByReading(*open(std::move(table), {}), progress);
  const Format& format = formatOf(*bytes);
  if (format.verify)
    return format.verify(*bytes, progress);
  try {
    return checkByReading(*format.open(std::move(bytes), {}), progress);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    Verification result;
    result.findings.push_back({"", "", {0, 0}, 0, error.what()});
    return result;
  }
}

DamagedFile openDamaged(const std::string& path, const OpenOptions& options) {
  return openDamaged(bytesAt(path, options), options);
}

DamagedFile openDamaged(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options) {
  if (!kaonfile::hasRecords(*bytes)) {
    const Format& format = formatOf(*bytes);
    if (&format != &formats().front())
      fail(ErrorKind::usage, bytes->name(), ": only damage of .kaon files can be skipped, not of ",
           format.name, " files");
  }
  kaonfile::SalvagedPart part = kaonfile::openSalvaged(std::move(bytes), options);
  return {withEntries(std::move(part.file), options), std::move(part.report)};
}

} // namespace kaon
