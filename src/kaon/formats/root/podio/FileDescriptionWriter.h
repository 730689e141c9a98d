#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/formats/root/podio/FileDescription.h>

namespace kaon::root::podio {

/// The version of podio whose form files have that kaon writes.
inline constexpr std::string_view writtenVersion = "1.7.0";

/// Writes the RNTuple `podio_metadata` of a file. Throws Error(io).
void writeDescription(ContainerWriter& file, const FileDescription& description, Compression codec);

} // namespace kaon::root::podio
