#pragma once

#include <kaon/formats/sio/Container.h>
#include <kaon/formats/sio/FileContent.h>

namespace kaon::sio::lcio {

/// Whether a file has records of LCIO.
[[nodiscard]] bool isLcioFile(const Container& container);
/// Returns the content of an LCIO file. The container must outlive it.
[[nodiscard]] FileContent contentOf(const Container& container);

} // namespace kaon::sio::lcio
