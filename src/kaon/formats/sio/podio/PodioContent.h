#pragma once

#include <kaon/formats/sio/Container.h>
#include <kaon/formats/sio/FileContent.h>

namespace kaon::sio::podio {

/// Whether podio wrote a file.
[[nodiscard]] bool isPodioFile(const Container& container);
/// Returns the content of a podio file. The container must outlive it. Throws Error(corrupt),
/// Error(io).
[[nodiscard]] FileContent contentOf(const Container& container);

} // namespace kaon::sio::podio
