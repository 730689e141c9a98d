#pragma once

#include <kaon/batch/Source.h>

#include <memory>

namespace kaon::root::podio {

/// Presents a file that podio wrote as frames: its categories have kaon's tables, and the models in
/// podio_metadata become documents. Other files are returned unchanged, including files of unknown
/// versions of podio, with a warning. Throws Error(corrupt) for contradictory descriptions.
[[nodiscard]] std::unique_ptr<File> withFrames(std::unique_ptr<File> file);

} // namespace kaon::root::podio
