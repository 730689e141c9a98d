#pragma once

#include <kaon/writing/WriterOptions.h>

#include <string>

namespace kaon {

/// The file that Dataframe::snapshot() writes.
struct SnapshotOptions {
  std::string category = {}; ///< in the new file; empty: as in the dataset
  /// How the file is written. The path's suffix decides its format unless `format` is set.
  WriterOptions writer = {};
};

} // namespace kaon
