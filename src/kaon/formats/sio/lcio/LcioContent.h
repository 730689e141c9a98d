#pragma once

#include <kaon/formats/sio/FileContent.h>
#include <kaon/formats/sio/SioContainer.h>

namespace kaon::sio::lcio {

/// Whether a file has records of LCIO.
[[nodiscard]] bool isLcioFile(const SioContainer& container);
/// Returns the content of an LCIO file. The container must outlive it.
[[nodiscard]] FileContent contentOf(const SioContainer& container);

} // namespace kaon::sio::lcio
