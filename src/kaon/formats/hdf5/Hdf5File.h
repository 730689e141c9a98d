#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>

namespace kaon::hdf5 {

/// openHdf5File() for builds with libhdf5. All files share its lock, but decode without it.
[[nodiscard]] std::unique_ptr<File> readFile(std::unique_ptr<io::ByteSource> bytes);

} // namespace kaon::hdf5
