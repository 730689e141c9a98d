#pragma once

#include <kaon/batch/EntrySelection.h>
#include <kaon/batch/Source.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace kaon::detail {

/// Entries of one of several sources that are read one after another, like one source.
struct SourceEntries {
  std::shared_ptr<const File> file = nullptr; ///< kept open, if given
  const Source* source = nullptr;
  EntrySelection entries = {};  ///< of the source
  std::uint64_t firstEntry = 0; ///< the number of its first entry, counted over all sources
  /// The schema whose table numbers columns of references use; null for the source's own.
  const Schema* numbering = nullptr;
};

/// A function that returns the sources in order, each when its turn comes, and nothing at the end.
/// The first call returns a source.
using NextSource = std::function<std::optional<SourceEntries>()>;

} // namespace kaon::detail
