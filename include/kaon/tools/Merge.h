#pragma once

#include <kaon/base/Progress.h>
#include <kaon/dataset/BadFiles.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// How the entries of a category were merged.
struct MergedCategory {
  std::string name;
  std::uint64_t entries = 0;
  std::uint64_t copiedEntries = 0; ///< in stored form; the others were encoded again
  std::uint64_t joinedEntries = 0; ///< of the others, those that were in small clusters
};

struct MergeReport {
  std::vector<MergedCategory> categories;
  std::vector<BadFile> badFiles; ///< that were left out
};

/// Joins files, as convert() does: entries follow in the order of the files, and metadata are
/// merged by the same rules. Clusters of .kaon files are copied in stored form, whatever their
/// codec, if they have the tables of the joined file, or the first of them. Order and layout of the
/// tables must be the same. Tags and keys are read and sorted again. Clusters with other tables are
/// encoded again, with the first codec in the files. Consecutive small clusters are also encoded
/// again, as larger ones.
///
/// The file appears at `out` when it is complete. Damaged pages are copied unchanged; reading them
/// reports the damage. Bad files are those of convert(). Throws the errors of convert().
MergeReport merge(const std::vector<std::string>& in, const std::string& out,
                  const Progress& progress = {}, OnBadFile onBadFile = OnBadFile::raise);

} // namespace kaon
