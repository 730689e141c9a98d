#pragma once

#include <kaon/batch/WriterOptions.h>

#include <string>

namespace kaon {

/// The file that Dataframe::snapshot() writes.
struct SnapshotOptions {
  std::string category =
      {}; ///< the category's name in the new file; empty: the name in the dataset
  /// How the file is written. The path's suffix decides its format unless `format` is set.
  WriterOptions writer = {};
};

} // namespace kaon
