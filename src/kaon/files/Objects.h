#pragma once

#include <kaon/batch/ObjectStore.h>
#include <kaon/batch/Sink.h>

#include <span>
#include <string>

namespace kaon::detail {

/// Copies the objects of files that are not categories, such as histograms, to a new file. Call it
/// before entries are written. Warns with a list of all objects if the new file cannot hold them.
void copyObjects(std::span<const ObjectStore* const> stores, Sink& sink);

} // namespace kaon::detail
