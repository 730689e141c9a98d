#pragma once

namespace kaon {

/// The treatment of columns that some files of a dataset lack.
enum class MissingColumns {
  areErrors, ///< reading them raises an error that names the file
  /// The columns of all files are columns of the dataset. In files that lack a column, its values
  /// are missing, and its collection or parameter is absent. Values become optional if some file
  /// lacks them. All files are opened at once.
  areNone
};

} // namespace kaon
