#pragma once

#include <kaon/base/Progress.h>
#include <kaon/dataset/BadFiles.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/writing/WriterOptions.h>

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

} // namespace kaon
