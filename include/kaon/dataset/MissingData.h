#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kaon {

/// The treatment of bad files among several. A file is bad if it cannot be opened, or lacks the
/// category, columns that are named, or all columns of the first file that has values. Damage that
/// shows only when data are decoded raises an error in any case.
enum class OnBadFile : std::uint8_t {
  raise,  ///< throws the error, which names the file
  skip,   ///< leaves the file out with a warning
  report, ///< leaves the file out; the result lists it
};

/// A file that was left out.
struct BadFile {
  std::string path;
  std::string reason;                        ///< the message of the error
  std::optional<std::uint64_t> entries = {}; ///< that are missing; nothing if unknown
  friend bool operator==(const BadFile&, const BadFile&) = default;
};

/// The treatment of columns that some files of a dataset lack.
enum class MissingColumns {
  areErrors, ///< reading them raises an error that names the file
  /// The columns of all files are columns of the dataset. In files that lack a column, its values
  /// are missing, and its collection or parameter is absent. Values become optional if some file
  /// lacks them. All files are opened at once.
  areNone
};

/// The treatment of an entry for which a friend has no entry.
enum class WithoutPartner {
  isError, ///< raises an error that names the entry
  isEmpty  ///< the friend's collections and parameters are empty, and its values are 0
};

} // namespace kaon
