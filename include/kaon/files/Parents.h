#pragma once

#include <kaon/batch/Source.h>

#include <memory>
#include <string_view>

namespace kaon {

/// Returns a file that has, for each entry of this category in order, the entry that it was read
/// from, with all its data in the parent file. See WriterOptions::provenance.
///
/// A parent is found by its name in the document "source:ID", relative to the working directory or
/// to the directory of this file, or beside this file. Without entries, the tables are those of one
/// of the files that are named. If parents differ, the result has the tables of all, absent in
/// entries of parents that lack them.
///
/// Throws Error(usage) for a category or entry without parents, and for parents whose tables of the
/// same name differ. Throws Error(missing) for a parent that no longer exists or has been replaced,
/// and Error(corrupt) for an entry that it does not have.
[[nodiscard]] std::shared_ptr<const File> parentsOf(std::shared_ptr<const File> file,
                                                    std::string_view category,
                                                    const OpenOptions& options = {});

} // namespace kaon
