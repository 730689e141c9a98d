#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <memory>
#include <span>

// What all else uses of HDF5's files. In a kaon that was built without libhdf5 all of it but
// isHdf5File() throws Error(version), which says so.

namespace kaon::hdf5 {

/// Whether a file that begins so is an HDF5 file, without a user block before it.
[[nodiscard]] bool isHdf5File(std::span<const std::byte> firstBytes);

/// Opens an HDF5 file. What kaon wrote is read by what kaon wrote of it, as docs/hdf5-files.md
/// describes; of others each group with datasets of the same length is a category of values. Throws
/// Error(corrupt), Error(version), Error(io).
[[nodiscard]] std::unique_ptr<File> openHdf5File(std::unique_ptr<io::ByteSource> bytes,
                                                 const OpenOptions& options);

/// A new HDF5 file. Throws Error(io), and Error(usage) for sinks that are pipes.
[[nodiscard]] std::unique_ptr<Sink> createHdf5File(std::unique_ptr<io::ByteSink> bytes,
                                                   const SinkOptions& options);

} // namespace kaon::hdf5
