#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// One thing that is wrong with a file.
struct Finding {
  std::string category;       ///< "" where it is the file's as a whole
  std::string column;         ///< the table, or its member, of which it is a page; else ""
  EntryRange entries{0, 0};   ///< that are concerned; of none if it is not known
  std::uint64_t position = 0; ///< of the page or record, in bytes
  std::string what;
  bool isUnreadable = false; ///< kaon does not understand the values; this is no proof of damage
};

/// What was found, in the order of the file, and how much was looked at.
struct Verification {
  std::vector<Finding> findings;
  bool isComplete = true; ///< its writer finished it, and its end is there
  std::uint64_t records = 0;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0; ///< of the file; all of them, if it is sound
  [[nodiscard]] bool isSound() const noexcept { return findings.empty(); }
};

} // namespace kaon
