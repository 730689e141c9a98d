#pragma once

#include <kaon/batch/Source.h>

#include <memory>
#include <string_view>

namespace kaon {

/// Stands in a file that is a list of entries of others, each known by its provenance: the name of
/// their category, which has nothing else in it. open() reads these entries in its place.
inline constexpr std::string_view listDocument = "entries-of";

/// The entries that those of a category were read from, one for each, in this order: all that the
/// files have which they are from, by batch/Provenance.h. The file that is returned has this
/// category only.
///
/// A parent lies where its name in the document "source:ID" says, seen from the working directory
/// or from where this file lies, or beside this file. Of no entries there are the tables of
/// one of the files that it names. Parents that have not the same tables have those of all, absent
/// where one lacks them. Throws Error(usage) for a category or entry without parents, and for
/// parents of which tables of one name hold something else, Error(missing) for a parent that is not
/// there any more, or is another file now, Error(corrupt) for an entry that it does not have.
[[nodiscard]] std::shared_ptr<const File> parentsOf(std::shared_ptr<const File> file,
                                                    std::string_view category,
                                                    const OpenOptions& options = {});

/// A file, or if it is a list of entries these.
[[nodiscard]] std::shared_ptr<const File> withEntries(std::shared_ptr<const File> file,
                                                      const OpenOptions& options);

} // namespace kaon
