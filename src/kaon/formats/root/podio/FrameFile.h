#pragma once

#include <kaon/batch/Source.h>

#include <memory>

namespace kaon::root::podio {

/// A file that podio wrote, as frames with their models: its categories have kaon's tables, those
/// of podio_metadata become documents. Any other file, and one of a version of podio that kaon does
/// not know, stays as it is, the latter with a warning. Throws Error(corrupt) for what contradicts
/// itself.
[[nodiscard]] std::unique_ptr<File> withFrames(std::unique_ptr<File> file);

} // namespace kaon::root::podio
