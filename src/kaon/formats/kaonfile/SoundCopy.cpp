#include <kaon/formats/kaonfile/SoundCopy.h>

#include <kaon/base/Damage.h>
#include <kaon/base/ProgressCount.h>
#include <kaon/batch/StoredClusters.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/reading/Batches.h>
#include <kaon/writing/BatchWriter.h>
#include <kaon/writing/JoinedBatch.h>

#include <algorithm>
#include <string>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Returns the first codec in a file, or a writer's usual one.
Compression codecOf(const File& file) {
  for (const std::string& name : file.categories()) {
    const Source& source = file.category(name);
    for (ColumnNumber column = 0; column < source.schema().columns().size(); ++column)
      for (const StoredForm& form : source.usage(column).value_or(ColumnUsage{}).forms)
        if (form.codec != Codec::none)
          return {form.codec, 1};
  }
  return SinkOptions{}.codec;
}

} // namespace

void copySound(const SalvagedPart& part, std::unique_ptr<io::ByteSink> out,
               const Progress& progress) {
  const File& file = *part.file;
  WriterOptions options{.codec = codecOf(file)};
  SinkOptions ofSink = options.forSink();
  ofSink.keys = part.keys;
  auto sink = std::make_unique<FileWriter>(std::move(out), ofSink);
  FileWriter& target = *sink;
  BatchWriter writer(std::move(sink), options);
  for (const std::string& name : file.documents())
    target.addDocument(name, file.document(name));
  if (const ObjectStore* const store = file.objectStore())
    for (const StoredObject& object : store->objects())
      (void)target.copyObject(*store, object, nullptr);
  std::uint64_t entries = 0;
  for (const std::string& name : file.categories())
    entries += file.category(name).entries();
  ProgressCount count(progress, entries);
  for (const std::string& name : file.categories()) {
    const Source& source = file.category(name);
    writer.writeCopy(name,
                     JoinedBatch(source.schema()).batch(0)); // the tables, also without entries
    const auto* const stored = dynamic_cast<const StoredClusters*>(&source);
    const std::vector<EntryRange> clusters = source.clusters();
    for (std::size_t number = 0; number < clusters.size(); ++number) {
      std::unique_ptr<detail::EncodedBatch> copied;
      // The header of a record may be damaged: the index repeats it.
      if (stored && unlessDamaged([&] { copied = stored->storedCluster(number); }))
        target.appendCopy(name, *copied);
      else
        for (const Batch& batch : Batches::ofAll(source, clusters[number]))
          writer.writeCopy(name, batch);
      writer.flush();
      count.add(clusters[number].size());
    }
  }
  writer.finish();
}

} // namespace kaon::kaonfile
