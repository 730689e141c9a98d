#pragma once

#include <kaon/batch/Source.h>

#include <memory>
#include <string_view>

namespace kaon {

/// Stands in a file that is a list of entries of others, each known by its provenance: the name of
/// their category, which has nothing else in it. open() reads these entries in its place.
inline constexpr std::string_view listDocument = "entries-of";

/// A file that has for each entry of this category, in order, the entry that it was read from, with
/// all that the file has in which that lies. Which one it is says batch/Provenance.h.
///
/// A parent lies where its name in the document "source:ID" says, seen from the working directory
/// or from where this file lies, or beside this file. Where there are no entries, the tables are
/// those of one of the files that it names. Where parents differ, there are the tables of all,
/// absent in entries of parents that lack them. Throws Error(usage) for a category or entry without
/// parents, and for parents whose tables of one name hold something else; Error(missing) for a
/// parent that is not there any more, or is another file now; Error(corrupt) for an entry that it
/// does not have.
[[nodiscard]] std::shared_ptr<const File> parentsOf(std::shared_ptr<const File> file,
                                                    std::string_view category,
                                                    const OpenOptions& options = {});

/// A file, or if it is a list of entries these.
[[nodiscard]] std::shared_ptr<const File> withEntries(std::shared_ptr<const File> file,
                                                      const OpenOptions& options);

} // namespace kaon
