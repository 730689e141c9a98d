#include <kaon/formats/kaonfile/Appending.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/formats/kaonfile/CategorySource.h>
#include <kaon/formats/kaonfile/ClusterMeta.h>
#include <kaon/formats/kaonfile/ColumnPages.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/io/SourcePart.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Computes the bounds of the keys from the clusters; files without an index lack them.
void findKeyBounds(const io::ByteSource& bytes, FileContents& contents) {
  for (CategoryContents& category : contents.categories) {
    const auto keys = category.keyTables();
    if (keys.empty())
      continue;
    const CategorySource source(bytes, contents.file, category, {});
    for (std::size_t cluster = 0; cluster < category.clusters.size(); ++cluster)
      for (const std::uint32_t key : keys) {
        const auto extremes = source.extremes(key, 0, cluster);
        const std::uint64_t missing = category.schema.table(key).members[0].missing;
        category.keyBounds.push_back(extremes ? Bounds{extremes->least, extremes->greatest}
                                              : Bounds{missing, missing});
      }
  }
}

/// Returns whether all pages of a cluster are as they were written.
bool hasSoundPages(const io::ByteSource& bytes, const FileContents& contents,
                   const CategoryContents& category, const IndexCluster& index, RecordKind kind) {
  try {
    ClusterMeta cluster(bytes, contents.file, category);
    cluster.open(index, kind);
    Buffer scratch;
    for (const std::uint32_t column : cluster.columns())
      for (const PageEntry& page : cluster.column(column)->pages)
        if (!page.isShort &&
            pageChecksum(bytes.view(cluster.position(page), page.size, scratch)) != page.checksum)
          return false;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    return false;
  }
  return true;
}

/// Returns the position of the first cluster with a damaged page, or the end of the contents. A
/// loss of power may damage any page that was written after the file was finished last.
std::uint64_t soundEnd(const io::ByteSource& bytes, const FileContents& contents) {
  std::uint64_t end = contents.end;
  for (const CategoryContents& category : contents.categories) {
    const auto check = [&](std::span<const IndexCluster> clusters, RecordKind kind) {
      for (const IndexCluster& cluster : clusters)
        if (cluster.position >= contents.finished && cluster.position < end &&
            !hasSoundPages(bytes, contents, category, cluster, kind))
          end = cluster.position;
    };
    check(category.clusters, RecordKind::cluster);
    check(category.tags, RecordKind::tags);
  }
  return end;
}

} // namespace

void mend(std::unique_ptr<io::ByteSink> sink, const OpenBytes& open, FileContents contents) {
  if (contents.isDamaged)
    fail(ErrorKind::usage, contents.warning,
         "; nothing can be appended: first write the file again with 'kaon convert'");
  std::shared_ptr<const io::ByteSource> bytes = open();
  if (const std::uint64_t end = soundEnd(*bytes, contents); end < contents.end)
    contents = readContents(*io::partOf(bytes, 0, end));
  const std::uint64_t lost = bytes->size() - contents.end;
  std::string message = sink->name() + ": was not finished, or was cut, and is finished now";
  if (const std::string entries = contents.entriesText(); !entries.empty())
    message += "; entries that were recovered: " + entries;
  if (lost > 0)
    message += "; its incomplete end of " + counted(lost, "byte") + " is gone";
  sink->cut(contents.end);
  bytes = open();
  if (!contents.warning.empty()) {
    findKeyBounds(*bytes, contents);
    FileWriter(std::move(sink), std::move(bytes), std::move(contents)).finish();
  }
  warn(WarningKind::incompleteFile, message);
}

std::unique_ptr<FileWriter> appendToFile(const std::string& path, SinkOptions options) {
  for (bool isMended = false;; isMended = true) {
    auto sink = io::appendSink(path, options.sync); // The file is locked from here on.
    const auto open = [&] { return std::shared_ptr(io::fileSource(path)); };
    const std::shared_ptr<const io::ByteSource> bytes = open();
    FileContents contents = readContents(*bytes);
    if (contents.warning.empty())
      return std::make_unique<FileWriter>(std::move(sink), bytes, std::move(contents),
                                          std::move(options));
    if (isMended)
      fail(ErrorKind::usage, contents.warning,
           "; nothing can be appended: first write the file again");
    mend(std::move(sink), open, std::move(contents));
  }
}

} // namespace kaon::kaonfile
