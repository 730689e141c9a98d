#include <kaon/tools/Merge.h>

#include <kaon/base/Error.h>
#include <kaon/files/Files.h>
#include <kaon/files/Format.h>
#include <kaon/tools/Convert.h>
#include <kaon/tools/FileCopy.h>

#include <filesystem>
#include <memory>
#include <utility>

namespace kaon {

std::vector<MergedCategory> merge(const std::vector<std::string>& in, const std::string& out,
                                  const Progress& progress) {
  std::error_code ignored; // there is no such file yet
  std::vector<std::shared_ptr<const File>> files;
  for (const std::string& path : in) {
    if (std::filesystem::equivalent(path, out, ignored))
      fail(ErrorKind::usage, out, ": is one of the files to be read; write to another one");
    files.push_back(open(path));
  }
  if (files.empty())
    fail(ErrorKind::usage, out, ": there are no files to be joined");
  if (&formatToWrite(out, {}) != &formatToWrite(".kaon", {}))
    fail(ErrorKind::usage, out, ": files are merged to a .kaon file; convert joins them to others");
  const WriterOptions options;
  FileCopy copy(std::move(files), options);
  std::unique_ptr<Sink> sink = create(out, copy.sinkOptions());
  Sink& target = *sink;
  BatchWriter writer(std::move(sink), options);
  const std::vector<std::uint64_t> stored = copy.writeStored(writer, target, progress);
  writer.finish();
  std::vector<MergedCategory> merged;
  for (const CategoryCopy& category : copy.categories())
    merged.push_back({category.name(), category.entries(), stored[merged.size()]});
  return merged;
}

} // namespace kaon
