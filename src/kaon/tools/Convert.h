#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/WriterOptions.h>
#include <kaon/model/ModelDatatypes.h>

#include <string>
#include <vector>

namespace kaon {

struct ConvertOptions {
  /// How the new file is written, and of which format: by its path's suffix unless `format` is set.
  /// Layouts, groups, tags and keys that are not named stay as they are.
  WriterOptions writer = {};
  /// What the format cannot hold is left out, and numbers of types that it does not have become
  /// wider ones; else it is an error.
  bool isLossy = false;
  /// If not empty the new file is of these versions of the models, whatever the files are of.
  std::vector<ModelDatatypes::Document> models = {};
};

/// Copies all that is in files of any format to a new one of any that kaon writes. Categories of
/// the same name are joined, the entries of one file behind those of the file before; relations
/// lead to the same objects. Metadata are merged by their rules.
///
/// The file appears at `out` when it is whole; what was there stays until then, and if anything
/// goes wrong. Memory is for a few clusters. Of a file that is not finished what is whole is
/// copied, with a warning. Members that were rounded can only be rounded further.
///
/// Before anything is written, throws Error(usage) that lists what the format cannot hold, unless
/// isLossy; where `out` is one of the files; for `append` and `provenance`; and for what does not
/// fit the data; Error(name), with a suggestion, for names that no category has; else as open() and
/// BatchWriter.
void convert(const std::vector<std::string>& in, const std::string& out,
             const ConvertOptions& options = {}, const Progress& progress = {});

} // namespace kaon
