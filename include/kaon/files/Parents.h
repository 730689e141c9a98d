#pragma once

#include <kaon/batch/Source.h>

#include <memory>
#include <string_view>

namespace kaon {

/// The document in a file that is a list of other files' entries, each known by its provenance. It
/// stores the name of their category, which has no other data. open() reads these entries instead.
inline constexpr std::string_view listDocument = "entries-of";

/// Returns a file that has, for each entry of this category in order, the entry that it was read
/// from, with all its data in the parent file. batch/Provenance.h identifies that entry.
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

/// Returns the file, or its listed entries if it is a list of entries.
[[nodiscard]] std::shared_ptr<const File> withEntries(std::shared_ptr<const File> file,
                                                      const OpenOptions& options);

} // namespace kaon
