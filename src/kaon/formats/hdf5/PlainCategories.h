#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hdf5/CategoryContents.h>
#include <kaon/formats/hdf5/Groups.h>

#include <span>
#include <string>
#include <vector>

namespace kaon::hdf5 {

// Datasets of any program as categories of values: those of a group that have as many rows as most
// of them there are one, called as the group is; others are one for each number of rows, called as
// the first of them. What lies at the top of the file is the category "events", unless a group is
// called so: then "/".

/// Datasets that make a category, and what else their group has.
struct PlainCategory {
  std::string name;
  std::vector<std::string> paths;     ///< of its datasets
  std::vector<Unreadable> unreadable; ///< of its group, where it has the most datasets of it
};

/// Finds them by shape. Under the lock. Throws Error(corrupt), Error(io).
[[nodiscard]] std::vector<PlainCategory> plainCategories(hid_t file, std::span<const Group> groups);

/// The columns of such a category: a number each, fixed arrays, or records. What kaon cannot read
/// is left out. Under the lock. Throws Error(corrupt), Error(io).
[[nodiscard]] CategoryContents contentsOf(const PlainCategory& category, hid_t file,
                                          SourceBytes& bytes);

} // namespace kaon::hdf5
