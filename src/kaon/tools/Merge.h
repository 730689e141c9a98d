#pragma once

#include <kaon/base/Progress.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// What was joined of a category.
struct MergedCategory {
  std::string name;
  std::uint64_t entries = 0;
  std::uint64_t copiedEntries = 0; ///< as they were stored; the others were encoded again
  std::uint64_t joinedEntries = 0; ///< of these others those that lay in small clusters
};

/// Joins files, as convert() does: the entries of one file behind those of the file before, and
/// what files say of themselves by its rules. But where .kaon files have the tables of the
/// joined file, or the first of them, in the same order and layout, their clusters are copied as
/// they are stored, whatever they were compressed by; tags and keys are read, and sorted anew.
/// Encoded again is what has other tables, and small clusters that follow each other, which become
/// larger ones: by the first codec that the files have.
///
/// The file appears at `out` when it is whole. Damage in pages that are copied stays what it was,
/// and is found by who reads them. Throws as convert().
std::vector<MergedCategory> merge(const std::vector<std::string>& in, const std::string& out,
                                  const Progress& progress = {});

} // namespace kaon
