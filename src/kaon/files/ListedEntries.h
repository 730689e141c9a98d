#pragma once

#include <kaon/batch/Source.h>

#include <memory>
#include <string_view>

namespace kaon {

/// The document in a file that is a list of other files' entries, each known by its provenance. It
/// stores the name of their category, which has no other data. open() reads these entries instead.
inline constexpr std::string_view listDocument = "entries-of";

/// Returns the file, or its listed entries if it is a list of entries.
[[nodiscard]] std::shared_ptr<const File> withEntries(std::shared_ptr<const File> file,
                                                      const OpenOptions& options);

} // namespace kaon
