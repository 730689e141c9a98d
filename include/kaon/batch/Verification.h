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

} // namespace kaon
