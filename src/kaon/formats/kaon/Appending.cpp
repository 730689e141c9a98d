#include <kaon/formats/kaon/Appending.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/formats/kaon/CategorySource.h>
#include <kaon/formats/kaon/ContentsReader.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace kaon::store {
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

} // namespace

void mend(std::unique_ptr<io::ByteSink> sink, std::shared_ptr<const io::ByteSource> bytes,
          FileContents contents) {
  if (contents.isDamaged)
    fail(ErrorKind::usage, contents.warning,
         "; nothing can be appended: first write the file again with 'kaon convert'");
  findKeyBounds(*bytes, contents);
  const std::uint64_t lost = bytes->size() - contents.end;
  std::string message = sink->name() + ": was not finished, or was cut, and is finished now";
  if (const std::string entries = contents.entriesText(); !entries.empty())
    message += "; entries that were recovered: " + entries;
  if (lost > 0)
    message += "; its incomplete end of " + counted(lost, "byte") + " is gone";
  sink->cut(contents.end);
  FileWriter(std::move(sink), std::move(bytes), std::move(contents)).finish();
  warn(WarningKind::incompleteFile, message);
}

std::unique_ptr<FileWriter> appendToFile(const std::string& path, SinkOptions options) {
  for (bool isMended = false;; isMended = true) {
    auto sink = io::appendSink(path, options.sync); // The file is locked from here on.
    const std::shared_ptr<const io::ByteSource> bytes = io::fileSource(path);
    FileContents contents = readContents(*bytes);
    if (contents.warning.empty())
      return std::make_unique<FileWriter>(std::move(sink), bytes, std::move(contents),
                                          std::move(options));
    if (isMended)
      fail(ErrorKind::usage, contents.warning,
           "; nothing can be appended: first write the file again");
    mend(std::move(sink), bytes, std::move(contents));
  }
}

} // namespace kaon::store
