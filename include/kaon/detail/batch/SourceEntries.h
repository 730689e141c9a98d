#pragma once

#include <kaon/batch/EntrySelection.h>
#include <kaon/batch/Source.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace kaon::detail {

/// Entries of one of several sources that are read one after another, as if they were one.
struct SourceEntries {
  std::shared_ptr<const File> file = nullptr; ///< kept open, if there is one
  const Source* source = nullptr;
  EntrySelection entries = {};  ///< of the source
  std::uint64_t firstEntry = 0; ///< what number its first entry has among those of all sources
  /// By whose numbers of tables columns say which collections references lead to; null: by the
  /// source's own.
  const Schema* numbering = nullptr;
};

/// Gives the sources in order, each when its turn comes; nothing at the end, but at least one.
using NextSource = std::function<std::optional<SourceEntries>()>;

} // namespace kaon::detail
