#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/batch/Verification.h>
#include <kaon/dataset/MissingData.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/writing/WriterOptions.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

struct ConvertOptions {
  /// How to write the new file. Its format follows from its path's suffix unless `format` is set.
  /// Layouts, groups, tags and keys that are not named stay unchanged.
  WriterOptions writer = {};
  /// Leaves out data that the format cannot hold, and widens numbers of types that it lacks.
  /// Otherwise these are errors.
  bool isLossy = false;
  /// If not empty, the new file has these versions of the models, whatever versions the files have.
  std::vector<ModelDatatypes::Document> models = {};
  /// A file is bad if it lacks the main category: `events`, or else the one that most files have.
  OnBadFile onBadFile = OnBadFile::raise;
  /// If not empty, only this category is copied. It becomes `events` in formats that cannot have a
  /// category of its name.
  std::string category = {};
  /// Leaves out damaged entries of .kaon files, with a warning: see openDamaged().
  bool skipDamaged = false;
};

/// Copies all data of files of any format to a new file of any format that kaon writes. Categories
/// of the same name are joined: entries follow in the order of the files, and relations are kept.
/// Metadata are merged by their rules.
///
/// The file appears at `out` when it is complete. An older file at `out` stays until then, and
/// after errors. Memory is used for a few clusters. Of an unfinished file, the complete part is
/// copied, with a warning. Members that were rounded can only be rounded further.
///
/// Throws before anything is written:
/// - Error(usage) that lists the data that the format cannot hold, unless isLossy;
/// - Error(usage) if `out` is one of the files, for `append` and `provenance`, and for options
///   that do not fit the data;
/// - Error(name), with a suggestion, for names that no category has, and for a category that a file
///   lacks.
///
/// Also throws the errors of open() and BatchWriter. Returns the files that were left out.
std::vector<BadFile> convert(const std::vector<std::string>& in, const std::string& out,
                             const ConvertOptions& options = {}, const Progress& progress = {});

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

/// Writes the sound data of a damaged .kaon file to a new one, and reports the others: see
/// openDamaged(). Codec, layouts, tags and keys stay. The file appears at `out` when it is
/// complete. Throws Error(corrupt) if nothing is sound, and Error(usage) if `out` is the file or no
/// .kaon file.
Recovery recover(const std::string& in, const std::string& out, const Progress& progress = {});

} // namespace kaon
