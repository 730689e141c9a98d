#include <kaon/tools/Convert.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/StoredClusters.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/binding/EvolvedFile.h>
#include <kaon/files/Files.h>
#include <kaon/files/Format.h>
#include <kaon/files/ObjectCopies.h>
#include <kaon/files/PathBytes.h>
#include <kaon/formats/kaonfile/SalvagedFile.h>
#include <kaon/formats/kaonfile/SoundCopy.h>
#include <kaon/io/ByteSink.h>
#include <kaon/selecting/LeftOutColumns.h>
#include <kaon/tools/CategoryFile.h>
#include <kaon/tools/FileCopy.h>
#include <kaon/tools/InputFiles.h>
#include <kaon/tools/PrecisionTrial.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace kaon {
namespace {

void checkOptions(const std::vector<std::string>& in, const std::string& out,
                  const WriterOptions& options) {
  if (in.empty())
    fail(ErrorKind::usage, out, ": give at least one file to copy");
  if (options.append || options.provenance)
    fail(ErrorKind::usage, out, ": copying can neither append to a file nor record provenance");
  std::error_code ignored; // the new file does not exist yet
  for (const std::string& path : in)
    if (std::filesystem::equivalent(path, out, ignored))
      fail(ErrorKind::usage, out, ": is the file to be read; write to another one");
}

/// The name of the category in formats that have a single one.
constexpr std::string_view onlyCategory = "events";

/// Whether a format that cannot have this category can have it under the name onlyCategory.
bool canBeOnly(const std::string& category, const Format& format) {
  return format.obstacleTo && !format.obstacleTo(category).empty() &&
         format.obstacleTo(onlyCategory).empty();
}

std::vector<std::shared_ptr<const File>> openAll(const std::vector<std::string>& paths,
                                                 const ConvertOptions& options,
                                                 const detail::LeftOutColumns& leftOut,
                                                 const Format& format, detail::BadFiles& bad) {
  return openInputs(
      paths, bad,
      [&](std::shared_ptr<const File> file) {
        file = leftOut.removeFrom(std::move(file));
        if (!options.models.empty())
          file = std::make_shared<EvolvedFile>(std::move(file), options.models);
        if (const std::string& name = options.category; !name.empty())
          file = std::make_shared<CategoryFile>(
              std::move(file), name, canBeOnly(name, format) ? std::string(onlyCategory) : name);
        return file;
      },
      options.skipDamaged);
}

/// Returns a line for each collection that some entries lack, for formats that cannot store its
/// absence.
std::string lostAbsence(const CategoryCopy& category) {
  std::string list;
  for (TableNumber table = 0; table < category.schema().size(); ++table)
    if (const Table info = category.schema().table(table);
        info.kind == TableKind::collection && category.isSomewhereAbsent(table))
      list += "\n  " + category.name() + ": " + std::string(info.name) +
              ": entries without it get an empty one";
  return list;
}

/// Returns the data of a category that a format cannot hold, one per line.
std::string listOf(const std::vector<detail::Loss>& losses, const CategoryCopy& category) {
  std::string list;
  for (const detail::Loss& loss : losses) {
    const Schema& schema = category.schema();
    list.append("\n  ").append(category.name()).append(": ");
    list += loss.member ? schema.nameOfMember(loss.table, *loss.member)
                        : std::string(schema.table(loss.table).name);
    list.append(": ").append(loss.reason);
    if (loss.type)
      list.append(", so its values are converted");
  }
  return list;
}

/// Returns why a category cannot be in a file that has `already` categories; "" if it can.
std::string obstacleTo(const std::string& category, std::size_t already, const Format& format) {
  if (already == format.mostCategories)
    return "files of this format have at most " +
           counted(format.mostCategories, "category", "categories");
  return format.obstacleTo ? format.obstacleTo(category) : "";
}

/// Leaves out the data that the format cannot hold, or throws an error that lists them.
void checkLosses(FileCopy& copy, const Format& format, const std::string& out, bool isLossy) {
  std::string list;
  const std::vector<ModelDatatypes::Document> models = copy.models();
  std::vector<std::string> lostCategories;
  std::size_t kept = 0; // number of categories
  for (CategoryCopy& category : copy.categories()) {
    if (const std::string obstacle = obstacleTo(category.name(), kept, format); !obstacle.empty()) {
      list += "\n  " + category.name() + ": " + obstacle;
      if (canBeOnly(category.name(), format))
        list.append("; --category ").append(category.name()).append(" makes it that one");
      lostCategories.push_back(category.name());
      continue;
    }
    ++kept;
    if (format.losses) {
      const std::vector<detail::Loss> losses =
          format.losses(category.name(), category.schema(), models);
      list += listOf(losses, category);
      category.lose(losses);
    }
    if (!format.keepsAbsence && !isLossy)
      list += lostAbsence(category);
    if (!format.keepsEmptyCategories && category.entries() == 0)
      list += "\n  " + category.name() +
              ": it has no entries, and this format stores only categories with entries";
  }
  if (!list.empty() && !isLossy)
    fail(ErrorKind::usage, out, ": files of ", format.name,
         " cannot hold the data below; --lossy (in Python, lossy=True) leaves them out, unless "
         "stated otherwise",
         list);
  if (!list.empty() && lostCategories.size() == copy.categories().size())
    fail(ErrorKind::usage, out, ": files of ", format.name,
         " cannot hold any of its categories:", list);
  for (const std::string& category : lostCategories)
    copy.leaveOut(category);
}

/// Throws if the data of an entry exceed the limits of the format.
void checkSizes(FileCopy& copy, const Format& format, const std::string& out) {
  std::string list;
  for (const CategoryCopy& category : copy.categories())
    for (TableNumber table = 0; table < category.schema().size(); ++table)
      if (const std::string entry = category.entryWithMoreBytes(table, format.mostBytesOfEntry);
          !entry.empty())
        list += "\n  " + std::string(category.schema().table(table).name) + ": " + entry;
  if (!list.empty())
    fail(ErrorKind::usage, out, ": files of ", format.name, " hold at most ",
         format.mostBytesOfEntry,
         " bytes of a collection or parameter in an entry; leave out the data below with kaon "
         "skim, or write to a .kaon file",
         list);
}

/// Converts files without some columns.
void convertWithout(const detail::LeftOutColumns& leftOut, const std::vector<std::string>& in,
                    const std::string& out, const ConvertOptions& options, const Progress& progress,
                    detail::BadFiles& bad) {
  const Format& format = formatToWrite(out, options.writer.format);
  FileCopy copy(openAll(in, options, leftOut, format, bad), options.writer);
  if (copy.isOfNothing(format))
    fail(ErrorKind::usage, in.front(), ": has nothing to copy: no category of events, ",
         "and nothing else that kaon reads");
  if (leftOut.empty())
    copy.warnOfUnreadable();
  if (format.losses || format.obstacleTo)
    checkLosses(copy, format, out, options.isLossy);
  if (format.mostBytesOfEntry < std::numeric_limits<std::uint64_t>::max())
    checkSizes(copy, format, out);
  const detail::JoinedObjects objects(copy.objectStores());
  objects.check();
  std::unique_ptr<Sink> sink = create(out, copy.sinkOptions());
  objects.copyTo(*sink);
  BatchWriter writer(std::move(sink), options.writer);
  copy.write(writer, progress);
  writer.finish();
}

} // namespace

std::vector<BadFile> convert(const std::vector<std::string>& in, const std::string& out,
                             const ConvertOptions& options, const Progress& progress) {
  checkOptions(in, out, options.writer);
  detail::LeftOutColumns leftOut;
  detail::BadFiles bad(options.onBadFile);
  for (;;)
    try {
      convertWithout(leftOut, in, out, options, progress, bad);
      return bad.list();
    } catch (const UnreadableColumns& error) { // begins again without them
      if (!leftOut.add(error))
        throw;
      detail::warnOfLeftOut(error);
    }
}

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
  detail::BadFiles bad(onBadFile);
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

Recovery recover(const std::string& in, const std::string& out, const Progress& progress) {
  std::error_code ignored; // the new file does not exist yet
  if (std::filesystem::equivalent(in, out, ignored))
    fail(ErrorKind::usage, out, ": is the file to be read; write to another one");
  if (&formatToWrite(out, {}) != &formatToWrite(".kaon", {}))
    fail(ErrorKind::usage, out, ": recover writes only .kaon files; use convert for other formats");
  const kaonfile::SalvagedPart part = kaonfile::openSalvaged(bytesAt(in, {}));
  kaonfile::copySound(part, io::fileSink(out), progress);
  return part.report;
}

} // namespace kaon
