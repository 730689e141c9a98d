#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// One problem in a file.
struct Finding {
  std::string category;       ///< "" for the file as a whole
  std::string column;         ///< the table or member of the page, or ""
  EntryRange entries{0, 0};   ///< affected entries; empty if unknown.
  std::uint64_t position = 0; ///< position of the page or record in the file, in bytes
  std::string what;
  bool isUnreadable = false; ///< kaon does not support the values; the file need not be damaged
};

/// The problems of a file, in file order, and the amount of data that was checked.
struct Verification {
  std::vector<Finding> findings;
  bool isComplete = true; ///< the writer finished the file, and its end is present
  std::uint64_t records = 0;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0; ///< checked bytes of the file; all of them if it is sound
  [[nodiscard]] bool isSound() const noexcept { return findings.empty(); }
};

/// A category of a damaged file, and its entries.
struct RecoveredCategory {
  std::string name;
  std::uint64_t entries = 0;     ///< that are kept
  std::uint64_t lostEntries = 0; ///< that are left out; those behind a cut are unknown
};

/// A column with damaged pages.
struct DamagedColumn {
  std::string category;
  std::string name;                 ///< of the member or table
  std::uint64_t damagedEntries = 0; ///< whose values are damaged in a sound cluster
  std::uint64_t damagedBytes = 0;   ///< stored bytes of its damaged pages
  std::string leftOut;              ///< the collection, parameter or value that is left out; or ""
};

/// The data of a damaged file that were found, and those that are lost.
struct Recovery {
  std::string file;
  std::vector<RecoveredCategory> categories;
  std::vector<DamagedColumn> columns;
  std::vector<std::string> lostDocuments; ///< names of texts and objects
  std::vector<std::string> rebuilt;       ///< parts that other parts of the file repeat: "header"
  std::uint64_t bytes = 0;                ///< of the file
  std::uint64_t lostBytes = 0;            ///< damaged bytes, with the rest of their page or record

  /// Returns whether the file is undamaged and complete.
  [[nodiscard]] bool isSound() const noexcept { return lostBytes == 0 && rebuilt.empty(); }
  /// Returns a report of several lines.
  [[nodiscard]] std::string text() const;
};

} // namespace kaon
