#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>

namespace kaon::hdf5 {

/// As openHdf5File(), where there is a libhdf5. Files share its one lock, but decode without it.
[[nodiscard]] std::unique_ptr<File> readFile(std::unique_ptr<io::ByteSource> bytes);

} // namespace kaon::hdf5
