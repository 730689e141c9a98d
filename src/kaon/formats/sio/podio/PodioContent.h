#pragma once

#include <kaon/formats/sio/FileContent.h>
#include <kaon/formats/sio/SioContainer.h>

namespace kaon::sio::podio {

/// Whether podio wrote a file.
[[nodiscard]] bool isPodioFile(const SioContainer& container);
/// Returns the content of a podio file. The container must outlive it. Throws Error(corrupt),
/// Error(io).
[[nodiscard]] FileContent contentOf(const SioContainer& container);

} // namespace kaon::sio::podio
