#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

// The interface of kaon's HDF5 files. In builds without libhdf5, functions that open or create
// files throw Error(version) with this reason.

namespace kaon::hdf5 {

/// Whether `firstBytes` are the beginning of an HDF5 file without a user block.
[[nodiscard]] bool isHdf5File(std::span<const std::byte> firstBytes);

/// Returns the size of the user block that an HDF5 file begins with: 512 bytes times a power of
/// two. Returns 0 if the bytes are not an HDF5 file; user blocks of more than 1 MiB are not sought.
[[nodiscard]] std::uint64_t userBlockOf(const io::ByteSource& bytes);

/// Opens an HDF5 file. Files that kaon wrote have a description of their tables: see
/// docs/hdf5-files.md. In other files, each group with datasets of the same length is a category of
/// values. Throws Error(corrupt), Error(version), Error(io).
[[nodiscard]] std::unique_ptr<File> openHdf5File(std::unique_ptr<io::ByteSource> bytes,
                                                 const OpenOptions& options);

/// Creates an HDF5 file. Throws Error(io). Throws Error(usage) for pipes.
[[nodiscard]] std::unique_ptr<Sink> createHdf5File(std::unique_ptr<io::ByteSink> bytes,
                                                   const SinkOptions& options);

} // namespace kaon::hdf5
