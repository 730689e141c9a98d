#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::store {

/// One thing that is wrong with a file.
struct Finding {
  std::string category;       ///< "" where it is the file's as a whole
  std::string column;         ///< the table, or its member, of which it is a page; else ""
  EntryRange entries{0, 0};   ///< that are concerned; of none if it is not known
  std::uint64_t position = 0; ///< of the page or record, in bytes
  std::string what;
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

/// Checks all that can be checked of a .kaon file: that each record, page and byte between them is
/// what it is said to be, and that all of it agrees. Clusters are checked in parallel. Of a file
/// that is not finished, or of which the index is damaged, whatever is there is checked. Throws
/// Error(version) if it is no kaon file, Error(io) if it cannot be read; damage is in the findings.
/// Any thread.
[[nodiscard]] Verification verify(const io::ByteSource& bytes, const Progress& progress = {});

} // namespace kaon::store
