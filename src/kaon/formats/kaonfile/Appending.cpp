#include <kaon/formats/kaonfile/Appending.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/formats/kaonfile/CategorySource.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/PageDamage.h>
#include <kaon/formats/kaonfile/SalvagedFile.h>
#include <kaon/formats/kaonfile/SoundCopy.h>
#include <kaon/io/SourcePart.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <system_error>
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

/// Clusters and tags records that were written after the file was finished last, by position. A
/// loss of power may damage any of their pages.
std::map<std::uint64_t, bool> laterClusters(const io::ByteSource& bytes,
                                            const FileContents& contents) {
  std::map<std::uint64_t, bool> areSound;
  for (const CategoryContents& category : contents.categories) {
    const auto check = [&](std::span<const IndexCluster> clusters, RecordKind kind) {
      for (const IndexCluster& cluster : clusters)
        if (cluster.position >= contents.finished)
          areSound[cluster.position] =
              damageOf(bytes, contents.file, category, cluster, kind).ranges.empty();
    };
    check(category.clusters, RecordKind::cluster);
    check(category.tags, RecordKind::tags);
  }
  return areSound;
}

/// Returns the position of the first damaged cluster, or the end of the contents.
std::uint64_t soundEnd(const std::map<std::uint64_t, bool>& areSound,
                       const FileContents& contents) {
  const auto damaged =
      std::ranges::find(areSound, false, &std::pair<const std::uint64_t, bool>::second);
  return damaged == areSound.end() ? contents.end : damaged->first;
}

/// Returns a free name for a damaged file that is kept.
std::string nameOfDamaged(const std::string& path) {
  std::string name = path + ".damaged";
  for (int number = 1; std::filesystem::exists(name); ++number)
    name = path + ".damaged." + std::to_string(number);
  return name;
}

/// Replaces a damaged file by its sound part, and keeps it under another name.
void replaceBySoundPart(const std::string& path, Sync sync) {
  const SalvagedPart part = openSalvaged(io::fileSource(path));
  const std::string kept = nameOfDamaged(path);
  auto sink = io::fileSink(path, sync);
  std::error_code error;
  std::filesystem::create_hard_link(path, kept, error);
  if (error) // not every file system has links
    std::filesystem::copy_file(path, kept, error);
  if (error)
    fail(ErrorKind::io, path, ": is damaged, and cannot be kept as ", kept, ": ", error.message());
  try {
    copySound(part, std::move(sink));
  } catch (...) {
    std::filesystem::remove(kept, error);
    throw;
  }
  warn(WarningKind::incompleteFile, part.report.text() + "\n  the damaged file is kept as " + kept);
}

} // namespace

bool hasSoundPartBehindDamage(const io::ByteSource& bytes, const FileContents& contents) {
  if (contents.isDamaged)
    return true;
  const auto areSound = laterClusters(bytes, contents);
  const auto behind = areSound.upper_bound(soundEnd(areSound, contents));
  return std::any_of(behind, areSound.end(), [](const auto& cluster) { return cluster.second; });
}

void mend(std::unique_ptr<io::ByteSink> sink, const OpenBytes& open, FileContents contents) {
  if (contents.isDamaged)
    fail(ErrorKind::usage, contents.warning,
         "; nothing can be appended: first write the file again with 'kaon recover'");
  std::shared_ptr<const io::ByteSource> bytes = open();
  if (const std::uint64_t end = soundEnd(laterClusters(*bytes, contents), contents);
      end < contents.end)
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
    if (hasSoundPartBehindDamage(*bytes, contents)) {
      sink.reset(); // unlocks the file, which is replaced
      replaceBySoundPart(path, options.sync);
    } else {
      mend(std::move(sink), open, std::move(contents));
    }
  }
}

} // namespace kaon::kaonfile
