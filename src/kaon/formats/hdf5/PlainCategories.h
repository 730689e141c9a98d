#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hdf5/CategoryDatasets.h>
#include <kaon/formats/hdf5/Groups.h>

#include <span>
#include <string>
#include <vector>

namespace kaon::hdf5 {

// Presents datasets of any program as categories of values. In each group, the datasets with the
// most frequent number of rows are one category, with the name of the group. Each other number of
// rows is another category, with the name of its first dataset. Datasets at the top of the file are
// the category "events", or "/" if a group has that name.
// A group that is a vector of vectors of LEGEND's LH5 format is a column of lists of the group
// above: https://legend-exp.github.io/legend-data-format-specs/dev/hdf5/

/// The datasets of a category, and unreadable members of its group.
struct PlainCategory {
  std::string name;
  std::vector<std::string> paths;     ///< of its datasets, and of groups that are lists
  std::vector<Unreadable> unreadable; ///< of its group; only in the group's main category
};

/// Finds the categories by the shapes of datasets. Call it under the lock. Throws Error(corrupt),
/// Error(io).
[[nodiscard]] std::vector<PlainCategory> plainCategories(hid_t file, std::span<const Group> groups,
                                                         SourceBytes& bytes);

/// Creates the columns of a category: numbers, fixed arrays, or records. Unreadable datasets are
/// left out. Call it under the lock. Throws Error(corrupt), Error(io).
[[nodiscard]] CategoryDatasets contentsOf(const PlainCategory& category, hid_t file,
                                          SourceBytes& bytes);

} // namespace kaon::hdf5
