#include <kaon/tools/Merge.h>

#include <kaon/base/Error.h>
#include <kaon/batch/StoredClusters.h>
#include <kaon/files/Files.h>
#include <kaon/files/Format.h>
#include <kaon/files/ObjectCopies.h>
#include <kaon/tools/Convert.h>
#include <kaon/tools/FileCopy.h>
#include <kaon/tools/InputFiles.h>
#include <kaon/tools/PrecisionTrial.h>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace kaon {
namespace {

/// Returns the first codec of a cluster in the files. If no page is compressed, because small pages
/// may not shrink, encodings show whether the writer had a codec.
Compression codecOf(const std::vector<std::shared_ptr<const File>>& files) {
  std::vector<const Source*> written;
  for (const auto& file : files)
    for (const std::string& name : file->categories()) {
      const Source& source = file->category(name);
      const auto* const stored = dynamic_cast<const StoredClusters*>(&source);
      const std::size_t clusters = stored ? source.clusters().size() : 0;
      for (std::size_t number = 0; number < clusters; ++number)
        if (const Codec codec = stored->codecOfCluster(number); codec != Codec::none)
          return {codec, 1};
      if (clusters > 0)
        written.push_back(&source);
    }
  for (const Source* source : written)
    if (const Compression codec = codecOf(*source); codec.codec != Codec::none)
      return codec;
  return written.empty() ? WriterOptions{}.codec : uncompressed();
}

} // namespace

MergeReport merge(const std::vector<std::string>& in, const std::string& out,
                  const Progress& progress, OnBadFile onBadFile) {
  std::error_code ignored; // the new file does not exist yet
  for (const std::string& path : in)
    if (std::filesystem::equivalent(path, out, ignored))
      fail(ErrorKind::usage, out, ": is one of the files to be read; write to another one");
  if (in.empty())
    fail(ErrorKind::usage, out, ": give at least one file to merge");
  if (&formatToWrite(out, {}) != &formatToWrite(".kaon", {}))
    fail(ErrorKind::usage, out, ": merge writes only .kaon files; use convert for other formats");
  BadFiles bad(onBadFile);
  std::vector<std::shared_ptr<const File>> files = openInputs(in, bad);
  const WriterOptions options{.codec = codecOf(files)};
  FileCopy copy(std::move(files), options);
  const detail::JoinedObjects objects(copy.objectStores());
  objects.check();
  std::unique_ptr<Sink> sink = create(out, copy.sinkOptions());
  Sink& target = *sink;
  objects.copyTo(target);
  BatchWriter writer(std::move(sink), options);
  const std::vector<WrittenEntryCounts> counts = copy.writeStored(writer, target, progress);
  writer.finish();
  MergeReport report{{}, bad.list()};
  for (const CategoryCopy& category : copy.categories()) {
    const WrittenEntryCounts& count = counts[report.categories.size()];
    report.categories.push_back({category.name(), category.entries(), count.copied, count.joined});
  }
  return report;
}

} // namespace kaon
